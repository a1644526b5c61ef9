// Reads what an operator types about a key: its name, its dialect, its end, and how long a replaced
// one still works.

import { DIALECTS, type Dialect } from '../core/dialect.ts'
import { parseInstant } from '../core/instant.ts'
import { OperatorError } from '../core/operator-error.ts'
import { after, DAY, typedDuration } from '../core/time-units.ts'
import { isTeamName, LONGEST_TEAM_NAME, TEAM_NAME_RULE } from './create-team.ts'

export interface KeyChange {
  readonly name?: string
  readonly dialect?: Dialect
  /** Null if it never ends. */
  readonly expiresAt?: Date | null
}

/** A key's name has the rule of a team's. */
export const LONGEST_KEY_NAME = LONGEST_TEAM_NAME

/** A key is replaced so that it ends. */
export const MOST_OVERLAP_DAYS = 30

const FORM =
  'name=…, expires=<a date, a time from now such as 90d, or never>, dialect=<standard or stax>'

/** Reads changes from the command line: `name=shop`, `expires=90d`, `dialect=stax`. */
export function readKeyChange(texts: readonly string[], now: Date): KeyChange {
  return Object.assign({}, ...texts.map((text) => readChange(text, now)))
}

function readChange(change: string, now: Date): KeyChange {
  const [, name = '', value = ''] = /^([a-z]+)=(.+)$/.exec(change) ?? []
  if (name === 'name') return { name: readKeyName(value) }
  if (name === 'dialect') return { dialect: readDialect(value) }
  if (name !== 'expires') throw new OperatorError(`${change} is not a change of a key: ${FORM}`)
  return { expiresAt: readExpiryOrNever(value, now) }
}

/** A blank name would leave nothing to click on. */
export function readKeyName(text: string): string {
  if (isTeamName(text)) return text
  throw new OperatorError(TEAM_NAME_RULE)
}

export function readDialect(text: string): Dialect {
  const dialect = DIALECTS.find((one) => one === text)
  if (dialect !== undefined) return dialect
  throw new OperatorError(`${text} is not a dialect: ${DIALECTS.join(' or ')}`)
}

export function readExpiryOrNever(text: string, now: Date): Date | null {
  return text === 'never' ? null : readExpiry(text, now)
}

/** Reads the end of a key as an operator types it: it must be in the future. */
export function readExpiry(text: string, now: Date): Date {
  const instant = readInstant(text, now)
  if (instant > now) return instant
  throw new OperatorError(`${text} is not in the future`)
}

/** How long a replaced key still works; it may end at once. */
export function readOverlap(text: string, now: Date): Date {
  const instant = readInstant(text, now)
  if (instant < now) throw new OperatorError(`${text} is in the past`)
  if (instant <= after(now, MOST_OVERLAP_DAYS * DAY)) return instant
  throw new OperatorError(
    `${text} is too long: a replaced key works for ${MOST_OVERLAP_DAYS} days at most`,
  )
}

/**
 * `30d`, `12h`, `0m` from now. Or a date, with or without a time, in UTC unless it names a zone.
 */
function readInstant(text: string, now: Date): Date {
  const fromNow = typedDuration(text)
  const instant = fromNow === undefined ? parseInstant(text) : writable(after(now, fromNow))
  if (instant !== undefined) return instant
  throw new OperatorError(`${text} is neither a time such as 30d, 12h or 15m, nor a date`)
}

/** Undefined if it is later than any date that can be written. */
function writable(instant: Date): Date | undefined {
  return Number.isNaN(instant.getTime()) || instant.getUTCFullYear() > 9999 ? undefined : instant
}
