// The package: the folder of its files, from source or built, and its version.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

export function packageVersion(): string {
  const text = readFileSync(join(packageFolder(), 'package.json'), 'utf8')
  return JSON.parse(text).version
}
