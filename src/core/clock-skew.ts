// How far a host's clock may differ from the database's: ahead is positive, behind negative.

import { SECOND } from './time-units.ts'

/**
 * BullMQ reads the host's clock: the locks and delays of a worker whose host is further off than
 * this are wrong.
 */
const MOST_SKEW_MS = 2 * SECOND

export function isOff(skewMs: number): boolean {
  return Math.abs(skewMs) > MOST_SKEW_MS
}
