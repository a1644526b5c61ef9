// Writes a changed transaction, which the commit has locked, with its event.

import type { Query } from '../../db/database.ts'
import { changeOf, insertEvent } from '../../events/insert-event.ts'
import type { World } from '../../world.ts'
import type { AccountContext } from './account-context.ts'
import { familyOf } from './find-transaction.ts'
import { type TransactionRow, updateOwn } from './transaction-row.ts'
import { type TransactionView, transactionView } from './transaction-view.ts'

/** Returns it as the API shows it. `next` has its new version. */
export async function writeChange(
  world: World,
  query: Query,
  accountContext: AccountContext,
  cause: { readonly requestId: string },
  next: TransactionRow,
): Promise<TransactionView> {
  const family = await familyOf(query, next.accountId, [next])
  const view = transactionView(next, accountContext, family)
  await updateOwn(query, next)
  await insertEvent(world, query, changeOf('update_transaction', next, view, cause))
  return view
}
