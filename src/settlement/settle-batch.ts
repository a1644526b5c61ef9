// Closes a batch and announces its deposit; `tell_gateway` has the gateway told of it meanwhile.
// The row alone says how far it has come: so this goes on from wherever it was left, and many may
// do it at once. Nothing here waits for long: what another holds, and the rest of a large batch,
// wait for their next turn, and the batches of other accounts come first.
//
//   open        until its cutoff
//     freeze    closing: nobody joins it any more
//                 died here: the lease ends, the sweep nudges it, the rest is taken
//     take      chunk by chunk, each a commit: those of one worker, of ten, of one after another
//                 died here: the same; what was stamped stays
//     finish    closed, its sums are for ever; a batch that took nothing is gone
//                 died here: the sweep finds that its gateway must be told
//     deposit   at its time, whatever the gateway says
//   nothing is due any more

import { dueIn } from '../accounts/scope.ts'
import type { Report } from '../core/progress.ts'
import { done, snooze, type Verdict } from '../core/verdict.ts'
import type { RowItem } from '../queue/catalogue.ts'
import type { World } from '../world.ts'
import { type Closing, findClosing } from './closing.ts'
import { finishBatch } from './finish-batch.ts'
import { freezeBatch } from './freeze-batch.ts'
import { sendDeposit } from './send-deposit.ts'
import { stampBatch } from './stamp-batch.ts'

type Step = 'freeze' | 'take' | 'deposit' | 'wait'

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
    const nextTurnAt = await makeStep(world, closing, step, signal, report)
    if (nextTurnAt !== undefined) return snooze(nextTurnAt)
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
      return isToBeDeposited(batch, now) ? 'deposit' : 'wait'
  }
}

function isToBeDeposited({ depositAt, depositedAt }: Closing['batch'], now: Date): boolean {
  return depositedAt === null && depositAt !== null && depositAt <= now
}

/** Answers when to go on with the same step; undefined where the next one can follow. */
async function makeStep(
  world: World,
  closing: Closing,
  step: Exclude<Step, 'wait'>,
  signal: AbortSignal,
  report: Report,
): Promise<Date | undefined> {
  switch (step) {
    case 'freeze':
      return freezeBatch(world, closing)
    case 'take':
      return (await stampBatch(world, closing, signal, report)) ?? finishBatch(world, closing)
    case 'deposit':
      await sendDeposit(world, closing)
      return undefined
  }
}

/** What waits for an account's own clock is seen to by whoever advances that. */
function wait({ batch, account }: Closing): Verdict {
  const { cutoffAt, depositAt, depositedAt } = batch
  const until = depositedAt === null ? dueIn(account, depositAt ?? cutoffAt) : null
  return until === null ? done : snooze(until)
}
