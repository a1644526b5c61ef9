// Finds environment variables whose names are nearly those of settings, so that a mistyped setting
// is not silently left at its default.

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

/** An edit adds, removes or replaces a letter, or swaps two neighbours. */
function isNear(one: string, other: string, edits: number): boolean {
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const [a, b] = [one.slice(same), other.slice(same)]
  if (a === b) return true
  if (edits === 0) return false
  const isNearBeyond = (ofA: number, ofB: number) => isNear(a.slice(ofA), b.slice(ofB), edits - 1)
  const areSwapped = a[0] === b[1] && a[1] === b[0]
  return (
    isNearBeyond(1, 0) ||
    isNearBeyond(0, 1) ||
    isNearBeyond(1, 1) ||
    (areSwapped && isNearBeyond(2, 2))
  )
}
