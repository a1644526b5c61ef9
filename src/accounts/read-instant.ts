// Instants as operators type them.

import { parseInstant } from '../core/instant.ts'
import { after, DAY, HOUR, MINUTE } from '../core/time-units.ts'
import { OperatorError } from './operator-error.ts'

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY }

const FROM_NOW = /^(\d{1,5})([mhd])$/

/** Until when a key may be used; it must be of some use. */
export function readExpiry(text: string, now: Date): Date {
  const instant = readInstant(text, now)
  if (instant > now) return instant
  throw new OperatorError(`${text} is not in the future`)
}

/** Until when a key that is being replaced lives on: not at all, perhaps. */
export function readOverlap(text: string, now: Date): Date {
  const instant = readInstant(text, now)
  if (instant >= now) return instant
  throw new OperatorError(`${text} is in the past`)
}

/**
 * `30d`, `12h`, `0m`: from now on. Or a date, with a time or without; of UTC, unless it says more.
 */
function readInstant(text: string, now: Date): Date {
  const [, count, unit = ''] = FROM_NOW.exec(text) ?? []
  const instant =
    count === undefined
      ? parseInstant(text)
      : writable(after(now, Number(count) * (UNITS[unit] ?? 0)))
  if (instant !== undefined) return instant
  throw new OperatorError(`${text} is neither a time such as 30d, 12h or 15m, nor a date`)
}

/** Undefined where it lies beyond all that can be written. */
function writable(instant: Date): Date | undefined {
  return Number.isNaN(instant.getTime()) || instant.getUTCFullYear() > 9999 ? undefined : instant
}
