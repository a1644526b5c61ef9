// Closes a batch, has the events of its transactions written and announces its deposit;
// `tell_gateway` has the gateway told of it meanwhile. The row alone says how far it has come: so
// this goes on from wherever it was left, and many may do it at once. Nothing here waits for long:
// the rest of a large batch's events waits for its next turn, and other batches come first.
//
//   open        until its cutoff
//     freeze    closing: it neither gains nor loses a transaction any more
//                 died here: the lease ends, the sweep nudges it, and it is closed
//     close     closed, its sums are for ever; a batch that took nothing is gone
//                 died here: the same; and the sweep finds that its gateway must be told
//     events    chunk by chunk, each a commit
//                 died here: the next chunk follows
//     deposit   at its time, whatever the gateway says
//   nothing is due any more

import { dueIn } from '../accounts/scope.ts'
import type { Report } from '../core/progress.ts'
import { done, snooze, type Verdict } from '../core/verdict.ts'
import type { RowItem } from '../queue/catalogue.ts'
import type { World } from '../world.ts'
import { closeBatch } from './close-batch.ts'
import { type Closing, findClosing } from './closing.ts'
import { freezeBatch } from './freeze-batch.ts'
import { sendDeposit } from './send-deposit.ts'
import { areEventsPending, writeSettledEvents } from './write-settled-events.ts'

type Step = 'freeze' | 'close' | 'events' | 'deposit' | 'wait'

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
      return 'close'
    case 'closed':
      if (areEventsPending(batch)) return 'events'
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
    case 'close':
      await closeBatch(world, closing)
      return undefined
    case 'events':
      return writeSettledEvents(world, closing, signal, report)
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
