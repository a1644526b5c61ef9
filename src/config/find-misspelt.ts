// Finds environment variables whose names are nearly those of settings, so that a mistyped setting
// is not silently left at its default.

import { nearestOf } from '../core/spelling.ts'
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
  const nearestSetting = nearestOf(NAMES)
  const isSet = (name: string) => (env[name] ?? '').trim() !== ''
  return Object.keys(env).flatMap((variable) => {
    if (NAMES.includes(variable) || OF_OTHERS.has(variable) || !isSet(variable)) return []
    // A shortened name may be another program's, if the setting that it is like is set.
    const long = variable.replace(/^DB_/, 'DATABASE_')
    const [first = ''] = long.split('_')
    const alike = NAMES.filter((name) => name.startsWith(first))
    const shortened = alike.find((name) => name === long || isShortened(long, name))
    const meant = shortened !== undefined && isSet(shortened) ? undefined : shortened
    const setting = nearestSetting(variable) ?? meant
    return setting === undefined ? [] : [{ variable, setting }]
  })
}

/** As containers pass secrets. The service would begin with an empty database of its own. */
const OF_A_FILE = /_FILE$/

/** In another unit: `GRACE_SECONDS`, `RATE_LIMIT_PER_SECOND`. */
const UNIT = /_(MS|MILLISECONDS|SECONDS?|MINUTES?|HOURS?|DAYS?)$/

/**
 * Without its unit (`GRACE`), with its last word cut (`EMAIL_PER_SEC`), without words in the middle
 * (`TWILIO_TOKEN`), or with one more there (`STRIPE_WEBHOOK_SIGNING_SECRET`).
 */
function isShortened(variable: string, name: string): boolean {
  if (name === `${variable}_MS` || name === variable.replace(OF_A_FILE, '')) return true
  const stem = variable.replace(UNIT, '')
  if (stem !== variable && stem === name.replace(UNIT, '')) return true
  const [some, all] = [variable.split('_'), name.split('_')]
  const last = some.at(-1) ?? ''
  if (some.length < 2 || some[0] !== all[0]) return false
  if (some.length === all.length + 1 && all.length > 2) {
    return all.at(-1) === last && all.every((word) => some.includes(word))
  }
  if (some.length === all.length) {
    const isSame = some.slice(0, -1).every((word, at) => word === all[at])
    return isSame && last.length >= SHORTEST_CUT && (all.at(-1) ?? '').startsWith(last)
  }
  return some.length < all.length && last === all.at(-1) && some.every((word) => all.includes(word))
}

/** `REDIS_U` says too little. */
const SHORTEST_CUT = 3
