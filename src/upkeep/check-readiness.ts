// Checks that this process can serve: it still works, and the database answers and agrees about the
// time.

import { isOff } from '../core/clock-skew.ts'
import { MINUTE, SECOND } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import { whyAway } from '../db/failure.ts'
import { RefusingStore, UnfitStore } from '../queue/engine.ts'
import type { World } from '../world.ts'
import { skewText } from './shown-figures.ts'

/** How long a probe waits for a store. By default Kubernetes waits one second for its answer. */
export const PROBE_WAITS_MS = 0.8 * SECOND

/** A statement fails long before this, so one that still waits will wait forever. */
const STUCK_MS = MINUTE

/** Undefined if the process works; otherwise why it must be replaced. */
export function checkLife(world: World): string | undefined {
  const waitMs = world.db.longestWaitMs()
  return waitMs > STUCK_MS ? `a statement has waited for ${Math.round(waitMs)} ms` : undefined
}

/** Undefined if it is ready; otherwise why not. */
export async function checkReadiness(world: World): Promise<string | undefined> {
  if (world.shutdown.hasBegun) return 'the process is ending'
  try {
    await doneWithin(PROBE_WAITS_MS, Promise.all([world.db.probe(), world.clock.measure()]))
    return clockFault(world)
  } catch (error) {
    // A full database still answers on open connections, but may accept no new ones.
    return whyAway(error)
  }
}

/** Undefined if the host's clock agrees with the database's. */
export function clockFault({ clock }: World): string | undefined {
  const skewMs = clock.skewMs()
  return isOff(skewMs) ? `the clock is ${skewText(skewMs)}` : undefined
}

/** A worker also needs its queues. Both are checked at the same time. */
export async function checkWorkerReadiness(world: World): Promise<string | undefined> {
  const [reason, storeReason] = await Promise.all([checkReadiness(world), checkStore(world)])
  return reason ?? storeReason
}

async function checkStore(world: World): Promise<string | undefined> {
  try {
    const { engine } = world.queues
    await doneWithin(
      PROBE_WAITS_MS,
      engine.probe().then(() => engine.probeWrites()),
    )
    return undefined
  } catch (error) {
    const isThere = error instanceof UnfitStore || error instanceof RefusingStore
    return isThere ? error.message : 'the queue store is away'
  }
}
