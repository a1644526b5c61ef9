// A transaction as the API shows it, in answers and in the snapshots of events.

import { flagsOf } from '../../core/follow-up.ts'
import { mapInTurns } from '../../core/next-turn.ts'
import type { World } from '../../world.ts'
import type { AccountContext } from './account-context.ts'
import { familyOf, withFamilies } from './find-transaction.ts'
import { followUpFactsOf } from './follow-up-facts.ts'
import { CHILD_TRANSACTION, TRANSACTION } from './transaction-fields.ts'
import type { BatchedTransaction, TransactionRow } from './transaction-row.ts'

/** A declined payment is answered as an error, with the transaction as the body. */
export function answerStatusOf(status: TransactionRow['status']): 200 | 400 {
  return status === 'FAILED' ? 400 : 200
}

export type TransactionView = ReturnType<typeof transactionView>

/** `family` contains its children and their children, perhaps among others. */
export function transactionView(
  t: TransactionRow,
  accountContext: AccountContext,
  family: readonly BatchedTransaction[] = [],
) {
  const isLinkDeleted = t.paymentLinkDeletedAt !== null
  const show = (child: BatchedTransaction) =>
    childView(child, isLinkDeleted, accountContext, family)
  return TRANSACTION.view(t, {
    flags: flagsOf(followUpFactsOf(t, isLinkDeleted, accountContext)),
    reversals: reversalsOf(t, family).map(show),
    captures: capturesOf(t, family).map(show),
  })
}

/** The same for many transactions, with their children. */
export async function viewsOf(
  world: World,
  accountContext: AccountContext,
  rows: readonly TransactionRow[],
): Promise<readonly TransactionView[]> {
  const read = await withFamilies(world.db.query, accountContext.accountId, rows)
  return mapInTurns(read, ({ row, family }) => transactionView(row, accountContext, family))
}

function childView(
  t: BatchedTransaction,
  isLinkDeleted: boolean,
  accountContext: AccountContext,
  family: readonly BatchedTransaction[],
): object {
  const reversals = t.type === 'capture' ? reversalsOf(t, family) : []
  return CHILD_TRANSACTION.view(t, {
    flags: flagsOf(followUpFactsOf(t, isLinkDeleted, accountContext)),
    reversals: reversals.map((one) => childView(one, isLinkDeleted, accountContext, family)),
    captures: [],
  })
}

function reversalsOf(
  parent: BatchedTransaction,
  family: readonly BatchedTransaction[],
): readonly BatchedTransaction[] {
  return family.filter((one) => one.referenceId === parent.id && one.type !== 'capture')
}

function capturesOf(
  parent: BatchedTransaction,
  family: readonly BatchedTransaction[],
): readonly BatchedTransaction[] {
  return family.filter((one) => one.referenceId === parent.id && one.type === 'capture')
}

/** The children of one transaction, as transactions in their own right. */
export async function relatedTo(
  world: World,
  accountContext: AccountContext,
  parent: TransactionRow,
): Promise<readonly TransactionView[]> {
  const { accountId } = accountContext
  const family = await familyOf(world.db.query, accountId, [parent])
  const children = family.filter((one) => one.referenceId === parent.id)
  return mapInTurns(children, (child) =>
    transactionView({ ...parent, ...child }, accountContext, family),
  )
}
