// Reads the options that several commands share. An error names what is allowed.

import { isId } from '../core/id.ts'
import { parseInstant } from '../core/instant.ts'
import { OperatorError } from '../core/operator-error.ts'
import { after, typedDuration } from '../core/time-units.ts'

const MOST_SHOWN = 1_000

/** `2d`, `12h` or `30m` ago, or a date with or without a time, in UTC unless it names a zone. */
export function readSince(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const ago = typedDuration(text)
  const instant = ago === undefined ? parseInstant(text) : after(now, -ago)
  if (instant !== undefined) return instant
  throw new OperatorError(`${text} is neither a time ago such as 2d, 12h or 30m, nor a date`)
}

export function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MOST_SHOWN) return limit
  throw new OperatorError(`${text} is not a limit: 1 to ${MOST_SHOWN}`)
}

const DATE = /^\d{4}-\d\d-\d\d$/

export function readAccountId(text: string | undefined): string | undefined {
  if (text === undefined || isId(text)) return text?.toLowerCase()
  throw new OperatorError(`${text} is not the id of an account`)
}

/** A business date, as YYYY-MM-DD. */
export function readDate(text: string): string {
  if (DATE.test(text) && parseInstant(text) !== undefined) return text
  throw new OperatorError(`${text} is not a date: YYYY-MM-DD`)
}
