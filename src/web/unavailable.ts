// Errors that end by themselves: the same request succeeds a little later.

import { isDatabaseAway, isHeldUp, whyAway } from '../db/failure.ts'
import type { World } from '../world.ts'

const ANSWERED_HELD = 'requests are answered 503: another transaction holds their row'

/** True if the database is away, or another transaction has held one of the rows too long. */
export function isUnavailable(error: unknown): boolean {
  return isDatabaseAway(error) || isHeldUp(error)
}

/** Reports such an error, once for many of a kind. False if it is none. */
export function reportUnavailable({ outages }: World, err: unknown, request_id: string): boolean {
  if (isDatabaseAway(err)) outages.reportDatabaseAway(whyAway(err), { err, request_id })
  else if (isHeldUp(err)) outages.report(ANSWERED_HELD, { err, request_id })
  else return false
  return true
}
