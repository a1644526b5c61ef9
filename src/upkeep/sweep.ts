// The job `sweep`: nudges whatever is overdue, and clears away windows of requests that have ended.
// One pass; no row that anything depends on is written, so dying in it loses nothing, and two at
// once do no harm.

import { type OverduePayment, overduePayments } from '../payments/overdue-payments.ts'
import type { World } from '../world.ts'

/** Rows of one round: enough to be cheap, few enough to be nudged before the next sweep begins. */
const ROUND = 500

export async function sweep(world: World): Promise<number> {
  const now = world.clock.now()
  let found = 0
  let last: OverduePayment | undefined
  do {
    const round = await overduePayments(world, now, ROUND, last)
    await nudgeAll(world, round)
    found += round.length
    last = round.at(-1)
  } while (last !== undefined && found % ROUND === 0)
  await world.limits.forgetEnded()
  return found
}

async function nudgeAll(world: World, overdue: readonly OverduePayment[]): Promise<void> {
  for (const owed of new Set(overdue.map((row) => row.owed))) {
    const rows = overdue.filter((row) => row.owed === owed)
    await world.queues.nudgeOverdue(owed, rows)
  }
}
