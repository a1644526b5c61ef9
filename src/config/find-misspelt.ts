// Finds environment variables whose names are nearly those of settings, so that a mistyped setting
// is not silently left at its default.

import { nearestName } from '../core/spelling.ts'
import { SETTINGS } from './settings.ts'

export interface Misspelling {
  /** The name in the environment. */
  readonly variable: string
  /** The setting that was probably meant. */
  readonly setting: string
}

const NAMES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name)

/** One edit away from a setting, but read by other programs: CGI, Marathon. */
const OF_OTHERS = new Set(['POST', 'PORTS', 'PORT0', 'PORT1'])

export function findMisspelt(env: NodeJS.ProcessEnv): readonly Misspelling[] {
  return Object.keys(env).flatMap((variable) => {
    if (NAMES.includes(variable) || OF_OTHERS.has(variable) || !env[variable]?.trim()) return []
    const setting = nearestName(variable, NAMES)
    return setting === undefined ? [] : [{ variable, setting }]
  })
}
