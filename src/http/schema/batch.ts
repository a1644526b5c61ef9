// The schemas of batches: the queries of their lists, and the answer.

import { TRANSACTION_SORTS } from '../../payments/lists/listing.ts'
import { BATCH, BATCH_STATUSES } from '../../settlement/batch.ts'
import { BATCH_SORTS } from '../../settlement/list-batches.ts'
import { resourceSchema } from './answers.ts'
import { dateRangeOf, exportAs, listQuery, statusFilter } from './list.ts'

export const batchQuery = listQuery(BATCH_SORTS, {
  ...dateRangeOf(
    'With this business date or a later one; an instant counts as its date in UTC.',
    'With this business date or an earlier one.',
  ),
  status: statusFilter(BATCH_STATUSES),
  export: exportAs('batch'),
})

export const batchTransactionQuery = listQuery(TRANSACTION_SORTS, {
  export: exportAs(
    'transaction',
    'The `total` of a refund is positive: the net of the batch is that of sales less that of refunds.',
  ),
})

export const batch = resourceSchema(
  'Batch',
  BATCH.answer,
  'The sums of an unclosed batch are those that it would close with now.',
)
