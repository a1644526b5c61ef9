// Closes a batch that has nothing left to take: its sums are those of what it took, for ever. The
// batch is held meanwhile: who stamps some of it holds it too, so what is left is seen.

import assert from 'node:assert'
import { dueIn } from '../accounts/scope.ts'
import { depositAt } from '../core/business-day.ts'
import { after, SECOND } from '../core/time-units.ts'
import { dateText } from '../core/whole-days.ts'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import { BATCH_COLUMNS, type BatchRow, readBatch } from './batch-row.ts'
import { onlyByIndex } from './by-index.ts'
import { type BatchKey, type Closing, HELD_MS } from './closing.ts'
import { readSums, SUMS, type Sums } from './live-sums.ts'
import { tellOfBatch } from './tell-of-batch.ts'

/** Answers when to come again, where somebody else holds some of it. */
export async function finishBatch(world: World, closing: Closing): Promise<Date | undefined> {
  const { accountId, id } = closing.batch
  const finished = await world.db.commit(`batch ${accountId} ${id}`, async (query) => {
    await onlyByIndex(query)
    const held = await lock(query, closing.batch)
    if (held === undefined || (await isAnyLeft(query, held))) return 'held'
    const sums = await sumsOf(query, held)
    if (sums.count === 0) {
      await query(DELETE, [accountId, id])
      return 'gone'
    }
    await close(world, query, closing, held, sums)
    return 'closed'
  })
  if (finished === 'closed') {
    measureLateness(world, closing)
    world.queues.nudge('tell_gateway', { accountId, id, requestId: closing.requestId })
  }
  return finished === 'held' ? after(world.clock.now(), HELD_MS) : undefined
}

/** By the real clock nobody is late who lives by another. */
function measureLateness({ clock, metrics }: World, { batch, account }: Closing): void {
  if (account.clockAt !== null) return
  const ms = clock.now().getTime() - batch.cutoffAt.getTime()
  metrics.batchLateness.observe(Math.max(0, ms) / SECOND)
}

const LOCK = `
  SELECT ${BATCH_COLUMNS} FROM batch b
  WHERE b.account_id = $1 AND b.id = $2 AND b.status = 'closing'
  FOR UPDATE SKIP LOCKED`

const DELETE = 'DELETE FROM batch WHERE account_id = $1 AND id = $2'

async function lock(query: Query, { accountId, id }: BatchKey): Promise<BatchRow | undefined> {
  const [row] = await query(LOCK, [accountId, id])
  return row && readBatch(row)
}

/** In the order of its index, so that nothing else will do. */
const ANY_LEFT = `
  SELECT FROM transaction
  WHERE account_id = $1 AND business_date >= $2::date AND business_date <= $2::date
    AND batch_id IS NULL AND NOT is_voided AND void_id IS NULL
  ORDER BY business_date
  LIMIT 1`

async function isAnyLeft(query: Query, { accountId, businessDate }: BatchRow): Promise<boolean> {
  return (await query(ANY_LEFT, [accountId, dateText(businessDate)])).length > 0
}

const SUM = `
  SELECT ${SUMS} FROM transaction t
  WHERE t.account_id = $1 AND t.batch_id = $2`

async function sumsOf(query: Query, { accountId, id }: BatchKey): Promise<Sums> {
  const [row] = await query(SUM, [accountId, id])
  assert(row !== undefined, 'a sum is one row')
  return readSums(row)
}

/** The gateway must be told at once, and the deposit announced at its time. */
const CLOSE = `
  UPDATE batch b SET status = 'closed', count = $3, sales = $4, refunds = $5, deposit_at = $6,
    due_at = $7, tell_due_at = $8, version = b.version + 1
  WHERE b.account_id = $1 AND b.id = $2
  RETURNING ${BATCH_COLUMNS}`

async function close(
  world: World,
  query: Query,
  closing: Closing,
  { accountId, id, businessDate, timezone }: BatchRow,
  { count, sales, refunds }: Sums,
): Promise<void> {
  const paidAt = depositAt(dateText(businessDate), timezone)
  const dueAt = dueIn(closing.account, paidAt)
  const values = [accountId, id, count, sales, refunds, paidAt, dueAt, world.clock.now()]
  const [row] = await query(CLOSE, values)
  if (row !== undefined) await tellOfBatch(world, query, closing, 'create_batch', readBatch(row))
}
