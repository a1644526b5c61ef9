// Where this machine has a browser: the path in CHROMIUM, or the first of its usual names on the
// PATH.

import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

export function findChromium(): string | undefined {
  if (process.env.CHROMIUM !== undefined) return process.env.CHROMIUM
  return (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path))
}
