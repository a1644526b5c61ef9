// The package: the folder of its files, from source or built, and its version.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    // The root's parent is the root itself.
    if (parent === folder) throw new Error(`no package.json above ${import.meta.dirname}`)
    folder = parent
  }
  return folder
}

/** Replaced by `npm run build`, if the commit is known there. */
declare const BUILT_FROM_COMMIT: string | undefined

/** For operators, who must tell two builds of one version apart: `0.2.0+3b84075`. */
export function runningVersion(): string {
  const commit = typeof BUILT_FROM_COMMIT === 'undefined' ? undefined : BUILT_FROM_COMMIT
  return commit === undefined ? packageVersion() : `${packageVersion()}+${commit}`
}

/** The version of the API, which documents name. */
export function packageVersion(): string {
  const text = readFileSync(join(packageFolder(), 'package.json'), 'utf8')
  return JSON.parse(text).version
}
