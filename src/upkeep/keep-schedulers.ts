// Ensures that all recurring jobs run: the rounds, and one at the cutoff of each account.

import { type Cutoff, EASTERN } from '../core/business-day.ts'
import { every, type Repeated } from '../core/every.ts'
import type { World } from '../world.ts'

/** The doctor refers operators to this line. */
const SCHEDULERS_UNSEEN = 'the job schedulers of the queues could not be looked after'

/** Ensures them now and periodically. A failure that stays the same is logged once. */
export function watchSchedulers(world: World): Repeated {
  const { outages, queues, timings } = world
  let failure: string | undefined

  async function look(): Promise<void> {
    try {
      // BullMQ counts from the host's clock.
      if (queues.takesWork) await keepSchedulers(world)
      failure = undefined
    } catch (err) {
      const { message } = err as Error
      if (message !== failure) outages.report(SCHEDULERS_UNSEEN, { err })
      failure = message
    }
  }

  const looks = every(timings.keepSchedulersEveryMs, look)
  void looks.begin()
  return looks
}

export async function keepSchedulers(world: World): Promise<void> {
  await world.queues.keepSchedulers(await cutoffsInUse(world))
}

/** The cutoff of a new account: the card networks end their day then. */
const USUAL: Cutoff = { time: '20:00', zone: EASTERN }

/** Each cutoff has a scheduler. The sweep finds a batch without one, moments later. */
const MOST = 200

/** The most common cutoffs. */
const CUTOFFS = `
  SELECT cutoff, timezone FROM account
  WHERE (cutoff, timezone) <> ($1, $2)
  GROUP BY cutoff, timezone
  ORDER BY count(*) DESC, cutoff, timezone
  LIMIT $3`

/** The times of day at which batches close: when the rounds of their queue come. */
async function cutoffsInUse(world: World): Promise<readonly Cutoff[]> {
  const rows = await world.db.query(CUTOFFS, [USUAL.time, USUAL.zone, MOST - 1])
  return [USUAL, ...rows.map((row) => ({ time: row.cutoff, zone: row.timezone }))]
}
