// Whether this process can serve: the database answers, and agrees with us about what time it is.

import { SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'

/**
 * Due times are compared between processes: one whose clock is off takes what is not due, or leaves
 * what is.
 */
export const MOST_SKEW_MS = 2 * SECOND

/** undefined when all is well; else why not. */
export async function checkReadiness(world: World): Promise<string | undefined> {
  try {
    const skewMs = await clockSkewMs(world)
    return skewMs > MOST_SKEW_MS ? `the clock is ${skewMs} ms off the database's` : undefined
  } catch {
    return 'the database is away'
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
