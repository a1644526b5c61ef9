// Finds environment variables whose names are nearly those of settings, so that a mistyped setting
// is not silently left at its default.

import { isNear } from '../core/spelling.ts'
import { SETTINGS } from './settings.ts'

export interface Misspelling {
  /** As it stands in the environment. */
  readonly variable: string
  /** The setting that was probably meant. */
  readonly setting: string
}

const NAMES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name)

/** One edit away from a setting, but read by other programs: CGI, Marathon. */
const OF_OTHERS = new Set(['POST', 'PORTS', 'PORT0', 'PORT1'])

/** In a name of this length or more, even two edits are no coincidence. */
const LONG = 7

export function findMisspelt(env: NodeJS.ProcessEnv): readonly Misspelling[] {
  return Object.keys(env).flatMap((variable) => {
    if (NAMES.includes(variable) || OF_OTHERS.has(variable) || !env[variable]?.trim()) return []
    const setting = NAMES.find((name) => isMeant(name, variable))
    return setting === undefined ? [] : [{ variable, setting }]
  })
}

/** Mistyped, or without its last word: `CHARGE_WAIT` for `CHARGE_WAIT_MS`. */
function isMeant(name: string, variable: string): boolean {
  if (variable.includes('_') && name.startsWith(`${variable}_`)) return true
  return isNear(name, variable, name.length < LONG ? 1 : 2)
}
