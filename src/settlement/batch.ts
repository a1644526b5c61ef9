// A batch as statements read it, and as the API shows it, in answers and in events.

import { toDecimal } from '../core/money.ts'
import { dateText } from '../core/whole-days.ts'
import { columnsOf } from '../db/columns.ts'
import type { Batch } from '../generated/client.ts'
import type { Sums } from './sums.ts'

/**
 * `sums` are those of its row once it is closed, and live ones until then. When it was frozen is
 * nobody's business before it is closed.
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

/**
 * A batch as a statement reads it.
 *
 * Of a statement that calls the table `b`.
 */
export const { list: BATCH_COLUMNS, read: readBatch } = columnsOf<BatchRow>('Batch', 'b', [
  'sales',
  'refunds',
])
