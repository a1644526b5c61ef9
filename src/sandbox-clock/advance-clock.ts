// The job `clock`: advances the clock of a sandbox account from instant to instant up to its
// target, and does all work that falls due at each instant.
//
//   take   the clock is ours until the lease ends     a crash after it: the sweep finds it
//   do     all work due at the instant, in order      a crash in it: the rows say what is done
//   move   to the next instant, if still ours         a crash after it: the work due there is due
//
// Work on the account uses the time at which it was taken. So the clock does not move while work of
// the instant is under way.

import type { Report } from '../core/progress.ts'
import { after, SECOND } from '../core/time-units.ts'
import { done, snooze, type Verdict } from '../core/verdict.ts'
import { retryDueInvoices } from '../schedules/retry-due-invoices.ts'
import { runDueSchedules } from '../schedules/run-due-schedules.ts'
import { settleAccount } from '../settlement/settle-account.ts'
import type { World } from '../world.ts'
import { type HeldClock, takeClock } from './held-clock.ts'
import { type Dues, findDues, isDueBy, nextInstant } from './next-instant.ts'
import { settleUnderWay } from './settle-under-way.ts'

/** After this time other work has its turn, and a process that must end can do so. */
const TURN_MS = 5 * SECOND

const REPORT_EVERY_MS = 100

export async function advanceClock(
  world: World,
  { accountId }: { readonly accountId: string },
  signal: AbortSignal,
  report: Report,
): Promise<Verdict> {
  const held = await takeClock(world, accountId)
  if ('kind' in held) return held
  try {
    return await advance(world, held, signal, report)
  } catch (error) {
    // If that fails too, the lease ends anyway.
    await held.release().catch(() => {})
    throw error
  }
}

async function advance(
  world: World,
  held: HeldClock,
  signal: AbortSignal,
  report: Report,
): Promise<Verdict> {
  const { target } = held.advance
  const reportProgress = throttled(world, report)
  const turnEnds = after(world.clock.now(), TURN_MS)
  const isTurnOver = () => signal.aborted || world.clock.now() >= turnEnds
  for (;;) {
    const dues = await doDueWork(world, held, isTurnOver, signal)
    if (isTurnOver()) break
    reportProgress(held)
    if (held.now >= target) {
      await held.finish()
      return done
    }
    if (!(await held.moveTo(nextInstant(dues, held.now, target)))) return done
  }
  await held.release()
  return snooze(world.clock.now())
}

/** Each report is a write to the queue store. */
function throttled(world: World, report: Report): (held: HeldClock) => void {
  let next = world.clock.now()
  return ({ progress }) => {
    const now = world.clock.now()
    if (now < next && progress.done < progress.of) return
    next = after(now, REPORT_EVERY_MS)
    report(progress)
  }
}

/** Repeats until nothing more can be done at the instant. Returns the next due times. */
async function doDueWork(
  world: World,
  held: HeldClock,
  isTurnOver: () => boolean,
  signal: AbortSignal,
): Promise<Dues> {
  for (;;) {
    let dues = await findDues(world.db.query, held.accountId)
    if (dues.deadline !== undefined) {
      await settleUnderWay(world, held, isTurnOver, signal)
      dues = await findDues(world.db.query, held.accountId)
    }
    if (isTurnOver() || !(await held.renew())) return dues
    if ((await doNextWork(world, held, dues, isTurnOver)) === 0) return dues
  }
}

/**
 * In the order of kinds that share an instant. Returns how much work there was. A batch that a
 * payment opened just before the move is settled at its own instant.
 */
async function doNextWork(
  world: World,
  { accountId, now }: HeldClock,
  { settlement, scheduled }: Dues,
  isTurnOver: () => boolean,
) {
  const settled = isDueBy(settlement, now)
    ? await settleAccount(world, { accountId, now: settlement }, isTurnOver)
    : 0
  if (!isDueBy(scheduled, now) || isTurnOver()) return settled
  const scope = { accountId, now }
  return settled + (await runDueSchedules(world, scope)) + (await retryDueInvoices(world, scope))
}
