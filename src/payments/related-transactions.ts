// The children of one transaction, as transactions in their own right.

import type { World } from '../world.ts'
import type { AccountContext } from './account-context.ts'
import { familyOf } from './family.ts'
import type { TransactionRow } from './transaction-row.ts'
import { type TransactionView, transactionView } from './transaction-view.ts'

export async function relatedTo(
  world: World,
  accountContext: AccountContext,
  parent: TransactionRow,
): Promise<readonly TransactionView[]> {
  const family = await familyOf(world.db.query, accountContext.accountId, [parent])
  return family
    .filter((one) => one.referenceId === parent.id)
    .map((child) => transactionView({ ...parent, ...child }, accountContext, family))
}
