// The job `sweep`: nudges all overdue rows and deletes ended request windows. First it makes due
// the rows that a wrong clock put far ahead, and parked payments to ask about again. If it dies,
// nothing is lost, and two sweeps at once do no harm. A kind that fails does not stop the others.

import { DELIVERY_CHANNELS } from '../core/delivery.ts'
import { doAll } from '../core/do-all.ts'
import { askParkedAgain } from '../payments/take/ask-parked-again.ts'
import { type OverduePayment, overduePayments, placeBefore } from '../payments/take/due-payments.ts'
import { nudgeOverdueClocks } from '../sandbox-clock/sandbox-clock.ts'
import { isAnythingDue } from '../schedules/find-due.ts'
import { nudgeDueBatches } from '../settlement/due-batches.ts'
import type { World } from '../world.ts'
import { pullBack } from './rows-ahead.ts'

/** Rows on one page: enough to be cheap, few enough to be nudged before the next sweep begins. */
const PAGE = 500

export async function sweep(world: World): Promise<number> {
  let found = 0
  const nudged = (nudge: (of: World) => Promise<number>) => async () => {
    found += await nudge(world)
  }
  await doAll([
    () => pullBack(world),
    () => askParkedAgain(world),
    nudged(nudgeOverduePayments),
    nudged(nudgeDueBatches),
    nudged(nudgeOverdueClocks),
    () => startDueSchedules(world),
    // A dispatcher finds out faster than this code whether anything is due.
    ...DELIVERY_CHANNELS.map((channel) => () => world.queues.startRound(channel)),
    () => world.limits.forgetEnded(),
  ])
  return found
}

async function startDueSchedules(world: World): Promise<void> {
  if (await isAnythingDue(world)) await world.queues.ensureRound('schedules')
}

/** Nudges all that are overdue, or those that have become so since an instant. */
export async function nudgeOverduePayments(world: World, since?: Date): Promise<number> {
  const now = world.clock.now()
  let found = 0
  let last = since && placeBefore(since)
  for (;;) {
    const page = await overduePayments(world, now, PAGE, last)
    await nudgeAll(world, page)
    found += page.length
    if (page.length < PAGE) return found
    last = page.at(-1)
  }
}

async function nudgeAll(world: World, overdue: readonly OverduePayment[]): Promise<void> {
  for (const work of new Set(overdue.map((row) => row.work))) {
    const rows = overdue.filter((row) => row.work === work)
    await world.queues.nudgeOverdue(work, rows)
  }
}
