// Errors that end by themselves: the same request succeeds a little later.

import { isDatabaseAway, isHeldUp, whyAway } from './failure.ts'

interface Outages {
  reportDatabaseAway(why: string, fields: object): void
  report(message: string, fields: object): void
}

const ANSWERED_HELD = 'requests are answered 503: another transaction holds their row'

/** True if the database is away, or another transaction has held one of the rows too long. */
export function isUnavailable(error: unknown): boolean {
  return isDatabaseAway(error) || isHeldUp(error)
}

/** Reports such an error, and returns true. False for any other, which is ours. */
export function reportUnavailable(outages: Outages, err: unknown, request_id: string): boolean {
  if (isDatabaseAway(err)) outages.reportDatabaseAway(whyAway(err), { err, request_id })
  else if (isHeldUp(err)) outages.report(ANSWERED_HELD, { err, request_id })
  else return false
  return true
}
