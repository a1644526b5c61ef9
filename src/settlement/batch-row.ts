// A batch as a statement reads it.

import { columnsOf } from '../db/columns.ts'
import type { Batch } from '../generated/client.ts'

/** `businessDate` is the midnight of that day in UTC. */
export type BatchRow = Batch

/** Of a statement that calls the table `b`. */
export const { list: BATCH_COLUMNS, read: readBatch } = columnsOf<BatchRow>('Batch', 'b', [
  'sales',
  'refunds',
])
