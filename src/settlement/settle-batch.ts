// Closes a batch, writes the events of its transactions and announces its deposit. The batch's row
// records the progress, so any worker can continue from there, and several may do so at once. No
// step waits for long: a large batch writes the rest of its events in later turns, and other
// batches come first.
//
//   open        until its cutoff
//     freeze    closing: no transaction joins or leaves it any more
//                 a crash here: the lease ends, the sweep nudges it, and it is closed
//     close     closed: its sums are final; a batch without transactions is deleted
//                 a crash here: the same, and its events follow
//     events    chunk by chunk, each in a commit
//                 a crash here: the next chunk follows
//     deposit   on its date, by the calendar or, once they are known, by the gateway's payouts
//   no more work is due

import { realDueAt } from '../accounts/scope.ts'
import type { Report } from '../core/progress.ts'
import { after } from '../core/time-units.ts'
import { done, snooze, type Verdict } from '../core/verdict.ts'
import type { RowItem } from '../queue/catalogue.ts'
import type { World } from '../world.ts'
import { BATCH_COLUMNS, type BatchRow, readBatch } from './batch.ts'
import { type BatchWithAccount, findBatchWithAccount, HELD_MS } from './batch-with-account.ts'
import { closeBatch, writeBatchEvent } from './close-batch.ts'
import { areEventsPending, writeSettledEvents } from './write-settled-events.ts'

type Step = 'freeze' | 'close' | 'events' | 'deposit' | 'wait'

/** `now` is in the account's time while its clock is being advanced. */
export async function settleBatch(
  world: World,
  item: RowItem,
  signal: AbortSignal,
  report: Report,
  now?: Date,
): Promise<Verdict> {
  for (;;) {
    signal.throwIfAborted()
    const batchWithAccount = await findBatchWithAccount(world.db.query, item, now)
    if (batchWithAccount === undefined) return done
    const step = stepOf(world, batchWithAccount)
    if (step === 'wait') return wait(world, batchWithAccount)
    const nextTurnAt = await makeStep(world, batchWithAccount, step, signal, report)
    if (nextTurnAt !== undefined) return snooze(nextTurnAt)
  }
}

function stepOf(world: World, { batch, account }: BatchWithAccount): Step {
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

function isToBeDeposited({ depositAt, depositedAt }: BatchRow, now: Date): boolean {
  return depositedAt === null && depositAt !== null && depositAt <= now
}

/** Returns when to continue the same step. Undefined if the next step can follow at once. */
async function makeStep(
  world: World,
  batchWithAccount: BatchWithAccount,
  step: Exclude<Step, 'wait'>,
  signal: AbortSignal,
  report: Report,
): Promise<Date | undefined> {
  switch (step) {
    case 'freeze':
      return freezeBatch(world, batchWithAccount)
    case 'close':
      await closeBatch(world, batchWithAccount)
      return undefined
    case 'events':
      return writeSettledEvents(world, batchWithAccount, signal, report)
    case 'deposit':
      await sendDeposit(world, batchWithAccount)
      return undefined
  }
}

/**
 * No longer due in real time. If the account returns to it meanwhile, that commit holds the
 * account's row, and the batch stays due.
 */
const OUT_OF_REAL_TIME = `
  UPDATE batch SET due_at = NULL
  WHERE account_id = $1 AND id = $2 AND due_at = $3
    AND EXISTS (SELECT FROM account WHERE id = $1 AND clock_at IS NOT NULL FOR SHARE)`

/**
 * The advance of an account's own clock does the work that waits for that clock. If the account got
 * one while this batch was worked on, a due time in real time is left: every sweep would find it.
 */
async function wait(world: World, { batch, account }: BatchWithAccount): Promise<Verdict> {
  const { accountId, id, cutoffAt, depositAt, depositedAt, dueAt, status } = batch
  const nextAt = status === 'closed' ? depositAt : cutoffAt
  const until = depositedAt === null && nextAt !== null ? realDueAt(account, nextAt) : null
  if (until !== null) return snooze(until)
  if (dueAt !== null) await world.db.query(OUT_OF_REAL_TIME, [accountId, id, dueAt])
  return done
}

/** The account's clock is the one by which the step was chosen, and stays so until the commit. */
const HAS_CLOCK = 'SELECT FROM account WHERE id = $1 AND clock_at IS NOT DISTINCT FROM $4 FOR SHARE'

const DEPOSIT = `
  UPDATE batch b SET deposited_at = $3, version = b.version + 1, due_at = NULL
  WHERE b.account_id = $1 AND b.id = $2 AND b.deposited_at IS NULL AND b.deposit_at <= $3
    AND EXISTS (${HAS_CLOCK})
  RETURNING ${BATCH_COLUMNS}`

/**
 * Writes the event of a deposit on its date, once: the row records it.
 */
async function sendDeposit(world: World, batchWithAccount: BatchWithAccount): Promise<void> {
  const { batch, account, clockOfRow } = batchWithAccount
  const { accountId, id } = batch
  const values = [accountId, id, world.accountNow(account), clockOfRow]
  await world.db.commit(`batch ${accountId} ${id}`, async (query) => {
    const [row] = await query(DEPOSIT, values)
    if (row === undefined) return
    await writeBatchEvent(world, query, batchWithAccount, 'create_deposit', readBatch(row))
  })
}

const FREEZE = `
  UPDATE batch b SET status = 'closing', closed_at = $3, due_at = $5
  FROM (
    SELECT account_id, id FROM batch
    WHERE account_id = $1 AND id = $2 AND status = 'open' AND cutoff_at <= $3
      AND EXISTS (${HAS_CLOCK} SKIP LOCKED)
    FOR UPDATE SKIP LOCKED
  ) held
  WHERE b.account_id = held.account_id AND b.id = held.id
  RETURNING b.id`

/**
 * Freezes a batch whose cutoff has passed: after that, no transaction joins it. A worker that
 * records a success holds its batch until its commit, by a lock that excludes FOR UPDATE: so the
 * batch is frozen only when all that joined it is there, and later successes find it closing.
 * Waiting for the lock would keep other accounts' batches waiting too, behind one commit that
 * hangs.
 *
 * Returns when to try again, if another holds it or has just frozen it, or sets the account's
 * clock.
 */
export async function freezeBatch(
  world: World,
  { batch: { accountId, id }, account, clockOfRow }: BatchWithAccount,
): Promise<Date | undefined> {
  const now = world.clock.now()
  const leasedUntil = after(now, world.timings.leaseMs)
  const values = [accountId, id, world.accountNow(account), clockOfRow, leasedUntil]
  const frozen = await world.db.query(FREEZE, values)
  return frozen.length === 0 ? after(now, HELD_MS) : undefined
}
