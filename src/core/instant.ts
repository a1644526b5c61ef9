// An instant as a client writes it: ISO 8601, or `2026-03-07 12:00:00`. Without an offset it is
// UTC; so is a date alone.

import { DateTime } from 'luxon'

const DATE = String.raw`\d{4}-\d\d-\d\d`
const TIME = String.raw`\d\d:\d\d(:\d\d([.,]\d{1,9})?)?`
const OFFSET = String.raw`(z|[+-](0\d|1[0-4])(:?[0-5]\d)?)?`

const LAST = new Date('9999-12-31T23:59:59.999Z')

const DATE_ONLY = new RegExp(`^${DATE}$`)
const ENDS_WITH_OFFSET = /\d(z|[+-]\d\d(:?\d\d)?)$/i
const INSTANT = new RegExp(`^${DATE}([t ]${TIME}${OFFSET})?$`, 'i')

/** Undefined if the text is not an instant, or the date is not in the calendar. */
export function parseInstant(text: string): Date | undefined {
  return read(text)?.toJSDate()
}

/**
 * The first instant after it; for a date alone, the first one after the whole day. Undefined after
 * the last instant that can be written.
 */
export function parseEnd(text: string): Date | undefined {
  const span = DATE_ONLY.test(text) ? { days: 1 } : { milliseconds: 1 }
  const end = read(text)?.plus(span).toJSDate()
  return end && end > LAST ? LAST : end
}

/** A `+` that was not escaped in an address arrives as a space. */
const LOST_PLUS = new RegExp(`^${DATE}[t ]${TIME} \\d\\d(:?\\d\\d)?$`, 'i')

/** `2026-11-20 08:15:30`, in UTC. */
export function secondText(instant: Date): string {
  return instant.toISOString().slice(0, 19).replace('T', ' ')
}

/** A date alone, which means that day in every zone; or an instant, to its offset. */
export function precisionOf(text: string): 'date' | 'wall clock' | 'exact' {
  if (DATE_ONLY.test(text)) return 'date'
  return ENDS_WITH_OFFSET.test(text) ? 'exact' : 'wall clock'
}

export function instantFault(text: string): string | undefined {
  if (read(text) !== undefined) return undefined
  if (INSTANT.test(text)) return 'must be a date and a time that exist'
  if (LOST_PLUS.test(text)) return 'must be a date or an instant: write the + of its offset as %2B'
  return 'must be a date or an instant, such as 2026-03-07 or 2026-03-07T12:00:00Z'
}

function read(text: string): DateTime | undefined {
  if (!INSTANT.test(text)) return undefined
  const read = DateTime.fromISO(text.replace(' ', 'T').toUpperCase(), { zone: 'utc' })
  // The database has no year 0, and ISO 8601 has no five-digit year.
  return read.isValid && read.year > 0 && read.year < 10_000 ? read : undefined
}
