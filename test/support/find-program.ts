// Which programs of others this machine has. A browser is at the path in CHROMIUM, or the first of
// its usual names on the PATH.

import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

export function findChromium(): string | undefined {
  return process.env.CHROMIUM ?? findOnPath(...NAMES)
}

/** Where the first of these programs is. */
export function findOnPath(...names: readonly string[]): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path))
}
