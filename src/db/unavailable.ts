// Errors that end by themselves: the same request succeeds a little later.

import { isDatabaseAway, isHeldUp, whyAway } from './failure.ts'

interface Outages {
  report(words: string, fields: object): void
}

/** True if the database is away, or another transaction has held one of the rows too long. */
export function isUnavailable(error: unknown): boolean {
  return isDatabaseAway(error) || isHeldUp(error)
}

/** Reports such an error, and returns true. False for any other, which is ours. */
export function reportUnavailable(outages: Outages, err: unknown, request_id: string): boolean {
  if (!isUnavailable(err)) return false
  const why = isDatabaseAway(err) ? whyAway(err) : 'another transaction holds their row'
  outages.report(`requests are answered 503: ${why}`, { err, request_id })
  return true
}
