// Closes a batch, tells its gateway, and tells of its deposit. The row alone says how far it has
// come: so this goes on from wherever it was left, and many may do it at once.
//
//   open        until its cutoff
//     freeze    closing: nobody joins it any more
//                 died here: the lease ends, the sweep nudges it, the rest is taken
//     take      chunk by chunk, each a commit: those of one worker, of ten, of one after another
//                 died here: the same; what was stamped stays
//     finish    closed, its sums are for ever; a batch that took nothing is gone
//                 died here: it is due, the gateway is told
//     tell      with the batch's id as the key
//                 died here: the lease ends, the gateway is told again, and knows it already
//     deposit   at its time, whatever the gateway says
//   nothing is due any more

import { dueIn } from '../accounts/scope.ts'
import type { Report } from '../core/progress.ts'
import { earlier } from '../core/time-units.ts'
import { done, snooze, type Verdict } from '../core/verdict.ts'
import type { RowItem } from '../queue/catalogue.ts'
import type { World } from '../world.ts'
import { type Closing, findClosing } from './closing.ts'
import { finishBatch } from './finish-batch.ts'
import { freezeBatch } from './freeze-batch.ts'
import { sendDeposit } from './send-deposit.ts'
import { stampBatch } from './stamp-batch.ts'
import { tellGateway } from './tell-gateway.ts'

type Step = 'freeze' | 'take' | 'tell' | 'deposit' | 'wait'

/** `now` in the account's time, where somebody is advancing it. */
export async function settleBatch(
  world: World,
  item: RowItem,
  signal: AbortSignal,
  report: Report,
  now?: Date,
): Promise<Verdict> {
  for (;;) {
    signal.throwIfAborted()
    const closing = await findClosing(world.db.query, item, now)
    if (closing === undefined) return done
    const step = stepOf(world, closing)
    if (step === 'wait') return wait(closing)
    const heldUntil = await makeStep(world, closing, step, signal, report)
    if (heldUntil !== undefined) return snooze(heldUntil)
  }
}

function stepOf(world: World, { batch, account }: Closing): Step {
  const now = world.accountNow(account)
  switch (batch.status) {
    case 'open':
      return batch.cutoffAt <= now ? 'freeze' : 'wait'
    case 'closing':
      return 'take'
    case 'closed':
      if (isToBeTold(world, batch)) return 'tell'
      return isToBeDeposited(batch, now) ? 'deposit' : 'wait'
  }
}

function isToBeTold(world: World, { toldAt, dueAt }: Closing['batch']): boolean {
  return toldAt === null && dueAt !== null && dueAt <= world.clock.now()
}

function isToBeDeposited({ depositAt, depositedAt }: Closing['batch'], now: Date): boolean {
  return depositedAt === null && depositAt !== null && depositAt <= now
}

/** Answers until when somebody else holds some of it. */
async function makeStep(
  world: World,
  closing: Closing,
  step: Exclude<Step, 'wait'>,
  signal: AbortSignal,
  report: Report,
): Promise<Date | undefined> {
  switch (step) {
    case 'freeze':
      await freezeBatch(world, closing)
      return undefined
    case 'take':
      await stampBatch(world, closing, signal, report)
      return finishBatch(world, closing)
    case 'tell':
      await tellGateway(world, closing, signal)
      return undefined
    case 'deposit':
      await sendDeposit(world, closing)
      return undefined
  }
}

/** What waits for an account's own clock is seen to by whoever advances that. */
function wait({ batch, account }: Closing): Verdict {
  const { status, cutoffAt, depositAt, depositedAt, toldAt, dueAt } = batch
  const business = depositedAt === null ? dueIn(account, depositAt ?? cutoffAt) : null
  const work = status === 'closed' && toldAt === null ? dueAt : null
  if (business !== null && work !== null) return snooze(earlier(business, work))
  const until = business ?? work
  return until === null ? done : snooze(until)
}
