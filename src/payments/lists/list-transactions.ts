// A page of an account's transactions, read within milliseconds however many there are. The total
// comes from the tally, or from a count by an index. The rows are read in the order of an index,
// from the nearer end.

import type { Page, Paged } from '../../db/declared-list.ts'
import type { World } from '../../world.ts'
import type { AccountContext } from '../transaction/account-context.ts'
import { findTransactions } from '../transaction/find-transaction.ts'
import { type TransactionView, viewsOf } from '../transaction/transaction-view.ts'
import type { TransactionFilters, TransactionSort } from './listing.ts'
import { pageAt } from './page-at.ts'

export async function listTransactions(
  world: World,
  accountContext: AccountContext,
  { skip, take, sort, order }: Page<TransactionSort>,
  filters: TransactionFilters,
): Promise<Paged<TransactionView>> {
  const { accountId } = accountContext
  const listing = { accountId, filters, sort, order }
  const { total, ids } = await pageAt(world.db, listing, { skip, take })
  const rows = await findTransactions(world.db, accountId, ids)
  return { total, rows: await viewsOf(world, accountContext, rows) }
}
