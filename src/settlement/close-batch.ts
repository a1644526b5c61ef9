// Closes a frozen batch with the sums of its transactions. These no longer change, so adding them
// up needs no lock, and two workers that do it at once get the same result.

import { depositAt } from '../core/business-day.ts'
import { SECOND } from '../core/time-units.ts'
import { dateText } from '../core/whole-days.ts'
import type { Query } from '../db/database.ts'
import { changeOf, insertEvent } from '../events/insert-event.ts'
import type { World } from '../world.ts'
import { BATCH_COLUMNS, type BatchRow, batchView, readBatch } from './batch.ts'
import type { BatchWithAccount } from './batch-with-account.ts'
import { countReported } from './deposit-by-payouts.ts'
import { addUpInTurn, type Sums, sumsOfDay } from './sums.ts'

/** A batch without transactions is deleted. */
export async function closeBatch(world: World, batchWithAccount: BatchWithAccount): Promise<void> {
  const { accountId, id, businessDate, timezone } = batchWithAccount.batch
  const date = dateText(businessDate)
  const sums = await addUpInTurn(() => sumsOfDay(world.db.query, accountId, date))
  const isLive = batchWithAccount.account.mode === 'live'
  const isReported = isLive && (await countReported(world, accountId, date)) > 0
  // Payouts are read again once their batches are closed. Elsewhere the calendar decides.
  const paidAt = isReported ? null : depositAt(date, timezone)
  const isClosed = await world.db.commit(`batch ${accountId} ${id}`, (query) =>
    write(world, query, batchWithAccount, sums, paidAt),
  )
  if (isClosed) measureLateness(world, batchWithAccount)
}

const DELETE = "DELETE FROM batch WHERE account_id = $1 AND id = $2 AND status = 'closing'"

/**
 * After this its transactions need their events. `told_at` is for processes of an earlier version,
 * which would report the batch to its gateway.
 */
const CLOSE = `
  UPDATE batch b SET status = 'closed', count = $3, sales = $4, refunds = $5, deposit_at = $6,
    due_at = $7, told_at = $7, events_written = 0, version = b.version + 1
  WHERE b.account_id = $1 AND b.id = $2 AND b.status = 'closing'
  RETURNING ${BATCH_COLUMNS}`

async function write(
  world: World,
  query: Query,
  batchWithAccount: BatchWithAccount,
  { count, sales, refunds }: Sums,
  paidAt: Date | null,
): Promise<boolean> {
  const { accountId, id } = batchWithAccount.batch
  if (count === 0) {
    await query(DELETE, [accountId, id])
    return false
  }
  const values = [accountId, id, count, sales, refunds, paidAt, world.clock.now()]
  const [closed] = await query(CLOSE, values)
  if (closed === undefined) return false
  await writeBatchEvent(world, query, batchWithAccount, 'create_batch', readBatch(closed))
  return true
}

/** An account with a clock of its own is never late by the real clock. */
function measureLateness({ clock, metrics }: World, { batch, account }: BatchWithAccount): void {
  if (account.clockAt !== null) return
  const ms = clock.now().getTime() - batch.cutoffAt.getTime()
  metrics.batchLateness.observe(Math.max(0, ms) / SECOND)
}

/**
 * Writes the event of a change of a batch, in the commit of that change. `batch` is in its new
 * state.
 */
export async function writeBatchEvent(
  world: World,
  query: Query,
  { account, requestId }: BatchWithAccount,
  type: 'create_batch' | 'create_deposit' | 'deposit_failed',
  batch: BatchRow,
): Promise<void> {
  const changed = { ...batch, updatedAt: world.accountNow(account) }
  await insertEvent(world, query, changeOf(type, changed, batchView(batch), { requestId }))
}
