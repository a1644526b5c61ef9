// The job `clock`: takes the clock of a sandbox account from instant to instant, up to its target,
// and has done at each what falls due at it.
//
//   take   the clock is ours until the lease ends     died after it: the sweep finds it
//   do     all that is due at the instant, in order   died in it: what is done says so by its rows
//   move   to the next instant, if it is ours still   died after it: what is due there is due
//
// Who works on something of the account reads its time as he takes it: so the clock does not move
// while anything of the instant is under way.

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

/** Then others have their turn, and a process that is to end ends. */
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
    // Where that fails too the lease ends by itself.
    await held.letGo().catch(() => {})
    throw error
  }
}

async function advance(
  world: World,
  held: HeldClock,
  signal: AbortSignal,
  report: Report,
): Promise<Verdict> {
  const { journey } = held
  const sayHowFar = nowAndThen(world, report)
  const turnEnds = after(world.clock.now(), TURN_MS)
  for (;;) {
    const dues = await doWhatIsDue(world, held, signal)
    if (signal.aborted || world.clock.now() >= turnEnds) break
    sayHowFar(held)
    if (held.now >= journey.target) {
      await held.arrive()
      return done
    }
    if (!(await held.moveTo(nextInstant(dues, held.now, journey.target)))) return done
  }
  await held.letGo()
  return snooze(world.clock.now())
}

/** Each report is a write to the queue's store. */
function nowAndThen(world: World, report: Report): (held: HeldClock) => void {
  let next = world.clock.now()
  return ({ progress }) => {
    const now = world.clock.now()
    if (now < next && progress.done < progress.of) return
    next = after(now, REPORT_EVERY_MS)
    report(progress)
  }
}

/** Until nothing more can be done at that instant; answers what is due then. */
async function doWhatIsDue(world: World, held: HeldClock, signal: AbortSignal): Promise<Dues> {
  for (;;) {
    let dues = await findDues(world.db.query, held.accountId)
    if (dues.deadline !== undefined) {
      await settleUnderWay(world, held, signal)
      dues = await findDues(world.db.query, held.accountId)
    }
    if (signal.aborted || !(await held.renew())) return dues
    if ((await doBusiness(world, held, dues)) === 0) return dues
  }
}

/**
 * In the order in which it stands when it shares an instant; answers how much there was. A batch
 * that was opened by a payment as it was left behind is settled as of its own instant.
 */
async function doBusiness(world: World, { accountId, now }: HeldClock, dues: Dues) {
  const { settlement, scheduled } = dues
  const settled = isDueBy(settlement, now)
    ? await settleAccount(world, { accountId, now: settlement })
    : 0
  if (!isDueBy(scheduled, now)) return settled
  const scope = { accountId, now }
  return settled + (await runDueSchedules(world, scope)) + (await retryDueInvoices(world, scope))
}
