// Lists the transactions of a batch. For an open batch these are the ones that it would close with
// now.

import { dateText } from '../core/whole-days.ts'
import type { Page, Paged } from '../db/declared-list.ts'
import { exportTransactions, type TransactionFile } from '../payments/lists/export-transactions.ts'
import { listTransactions } from '../payments/lists/list-transactions.ts'
import type { TransactionFilters, TransactionSort } from '../payments/lists/listing.ts'
import type { AccountContext } from '../payments/transaction/account-context.ts'
import type { TransactionView } from '../payments/transaction/transaction-view.ts'
import type { World } from '../world.ts'
import type { BatchRow } from './batch.ts'

export async function listBatchTransactions(
  world: World,
  accountContext: AccountContext,
  batch: BatchRow,
  page: Page<TransactionSort>,
): Promise<Paged<TransactionView>> {
  return listTransactions(world, accountContext, page, batchFilters(batch))
}

/** All of them as CSV, in chunks. */
export function exportBatchTransactions(
  world: World,
  accountContext: AccountContext,
  batch: BatchRow,
  { sort, order }: Pick<Page<TransactionSort>, 'sort' | 'order'>,
  file?: TransactionFile,
): AsyncGenerator<string> {
  const listing = { filters: batchFilters(batch), sort, order }
  return exportTransactions(world, accountContext, listing, file)
}

export function batchFilters({ id, businessDate }: BatchRow): TransactionFilters {
  return {
    withChildren: true,
    owners: { batch_id: id },
    batchDay: dateText(businessDate),
    keywords: [],
    created: { from: undefined, before: undefined },
  }
}
