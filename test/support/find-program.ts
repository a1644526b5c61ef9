// Foreign programs on this machine. A browser is at the path in CHROMIUM, or the first of its usual
// names on the PATH.

import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first is the same browser without windows: it takes a third of the CPU. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

export function findChromium(): string | undefined {
  return process.env.CHROMIUM ?? findOnPath(...NAMES)
}

/** The path of the first of these programs. */
export function findOnPath(...names: readonly string[]): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path))
}
