// Reads how long a provider asks us to wait.

import { HOUR, SECOND } from '../../core/time-units.ts'

/** Whoever asks for more is asked again after this long: he may have been wrong. */
const LONGEST_MS = HOUR

type Headers = Readonly<Record<string, unknown>>

/**
 * In seconds, or until a date. A date is compared with the one that the answer itself bears, so
 * that it does not matter whose clock is right. Undefined where neither can be read.
 */
export function twilioRetryAfterMs(headers: Headers): number | undefined {
  const said = String(headers['retry-after'] ?? '').trim()
  if (said === '') return undefined
  const ms = /^\d+$/.test(said)
    ? Number(said) * SECOND
    : Date.parse(said) - Date.parse(String(headers.date))
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_MS)
}
