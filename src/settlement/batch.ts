// A batch as statements read it, and as the API shows it, in answers and in events.

import { toDecimal } from '../core/money.ts'
import { dateText } from '../core/whole-days.ts'
import { columnsOf } from '../db/columns.ts'
import type { Batch } from '../generated/client.ts'
import type { World } from '../world.ts'
import { type Sums, sumsOfDays } from './sums.ts'

/**
 * A closed batch has its own sums; any other gets live ones. The time of the freeze is shown only
 * once the batch is closed.
 */
export function batchView(b: BatchRow, sums: Sums = b) {
  return {
    id: b.id,
    business_date: dateText(b.businessDate),
    cutoff_at: b.cutoffAt,
    status: b.status,
    count: sums.count,
    sales: toDecimal(sums.sales),
    refunds: toDecimal(sums.refunds),
    net: toDecimal(sums.sales - sums.refunds),
    created_at: b.createdAt,
    closed_at: b.status === 'closed' ? b.closedAt : null,
    deposit_at: b.depositAt,
  }
}

/** `businessDate` is the midnight of that day in UTC. */
export type BatchRow = Batch

/** The columns for statements that call the table `b`. */
export const { list: BATCH_COLUMNS, read: readBatch } = columnsOf<BatchRow>('Batch', 'b', [
  'sales',
  'refunds',
])

export interface FoundBatch {
  readonly row: BatchRow
  readonly sums: Sums
}

const FIND = `SELECT ${BATCH_COLUMNS} FROM batch b WHERE b.account_id = $1 AND b.id = $2`

/**
 * One batch, with the sums that it would close with now, or has closed with.
 *
 * Also undefined for an open batch without transactions, which its closing deletes.
 */
export async function findBatch(
  world: World,
  accountId: string,
  id: string,
): Promise<FoundBatch | undefined> {
  const { query } = world.db
  const [found] = await query(FIND, [accountId, id])
  if (found === undefined) return undefined
  const row = readBatch(found)
  if (row.status === 'closed') return { row, sums: row }
  const date = dateText(row.businessDate)
  const sums = (await sumsOfDays(query, accountId, [date])).get(date)
  return sums === undefined || sums.count === 0 ? undefined : { row, sums }
}
