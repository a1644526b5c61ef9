// The header Retry-After: seconds, or a date.

import { DAY, SECOND } from '../../core/time-units.ts'

/** Whoever asks for more gets this: an endpoint is disabled by its owner, not by a header. */
const LONGEST_MS = 7 * DAY

/** Undefined where it says nothing that makes sense, or an instant that is over. */
export function endpointRetryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND : untilDate(text, now)
  return ms > 0 ? Math.min(ms, LONGEST_MS) : undefined
}

/** A date of HTTP begins with the day of the week; what else a date may look like is no answer. */
function untilDate(text: string, now: Date): number {
  return /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) - now.getTime() : Number.NaN
}
