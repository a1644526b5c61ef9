// The filters that find the transactions of a batch. For an open batch these are the ones that it
// would close with now.

import { dateText } from '../core/whole-days.ts'
import type { TransactionFilters } from '../payments/lists/listing.ts'
import type { BatchRow } from './batch.ts'

export function batchFilters({ id, businessDate }: BatchRow): TransactionFilters {
  return {
    withChildren: true,
    owners: { batch_id: id },
    batchDay: dateText(businessDate),
    keywords: [],
    created: { from: undefined, before: undefined },
  }
}
