// Whether this process can serve: it goes on, and the database answers, and agrees with us about
// what time it is.

import { isOff } from '../core/clock-skew.ts'
import { MINUTE, SECOND } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import { whyAway } from '../db/failure.ts'
import { UnfitStore } from '../queue/engine.ts'
import type { World } from '../world.ts'
import { skewText } from './words.ts'

/** Kubernetes waits for a probe's answer for one second, unless it is told otherwise. */
const PATIENCE_MS = 0.8 * SECOND

/** A statement is given up long before, so one that still waits waits for ever. */
const STUCK_MS = MINUTE

/** undefined while the process answers; else why another must take its place. */
export function checkLife(world: World): string | undefined {
  const waitMs = world.db.longestWaitMs()
  return waitMs > STUCK_MS ? `a statement has waited for ${Math.round(waitMs)} ms` : undefined
}

/** undefined when all is well; else why not. */
export async function checkReadiness(world: World): Promise<string | undefined> {
  if (world.ending.isNear) return 'the process is ending'
  try {
    await doneWithin(PATIENCE_MS, Promise.all([world.db.probe(), world.clock.measure()]))
    return clockFault(world)
  } catch (error) {
    // Full, it goes on answering on connections that are open, and may let in no new ones.
    return whyAway(error)
  }
}

/** undefined where the host's clock agrees with the database's. */
export function clockFault({ clock }: World): string | undefined {
  const skewMs = clock.skewMs()
  return isOff(skewMs) ? `the clock is ${skewText(skewMs)}` : undefined
}

/** A worker needs its queues as well; both are asked at the same time. */
export async function checkWorkerReadiness(world: World): Promise<string | undefined> {
  const [reason, storeReason] = await Promise.all([checkReadiness(world), checkStore(world)])
  return reason ?? storeReason
}

async function checkStore(world: World): Promise<string | undefined> {
  try {
    await doneWithin(PATIENCE_MS, world.queues.probe())
    return undefined
  } catch (error) {
    return error instanceof UnfitStore ? error.message : 'the queue store is away'
  }
}
