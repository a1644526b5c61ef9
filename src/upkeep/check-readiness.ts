// Whether this process can serve: it goes on, and the database answers, and agrees with us about
// what time it is.

import { SECOND } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import { UnfitStore } from '../queue/engine.ts'
import type { World } from '../world.ts'

/**
 * Due times are compared between processes: one whose clock is off takes what is not due, or leaves
 * what is.
 */
export const MOST_SKEW_MS = 2 * SECOND

/** Whoever probes waits a few seconds at most. */
const STORE_MS = 2 * SECOND

/** undefined when all is well; else why not. */
export async function checkReadiness(world: World): Promise<string | undefined> {
  if (world.ending.isNear) return 'the process is ending'
  try {
    const skewMs = await clockSkewMs(world)
    return skewMs > MOST_SKEW_MS ? `the clock is ${skewMs} ms off the database's` : undefined
  } catch {
    return 'the database is away'
  }
}

/** A worker needs its queues as well. */
export async function checkWorkerReadiness(world: World): Promise<string | undefined> {
  const reason = await checkReadiness(world)
  if (reason !== undefined) return reason
  try {
    await doneWithin(STORE_MS, world.queues.probe())
    return undefined
  } catch (error) {
    return error instanceof UnfitStore ? error.message : 'the queue store is away'
  }
}

/** How far our clock is from the database's, the round trip given the benefit of the doubt. */
export async function clockSkewMs(world: World): Promise<number> {
  const before = world.clock.now().getTime()
  const [row] = await world.db.query(
    'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS theirs',
  )
  const after = world.clock.now().getTime()
  const theirs = Number(row?.theirs)
  return Math.max(0, before - theirs, theirs - after)
}
