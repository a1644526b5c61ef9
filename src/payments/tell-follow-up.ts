// Tells of a capture, a void or a refund: by an event of its own, and by one of its parent, whose
// children it changed.

import type { Query } from '../db/database.ts'
import { changeOf, insertEvent } from '../events/insert-event.ts'
import type { Transaction } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { Books } from './books.ts'
import { familyOf } from './family.ts'
import type { TransactionRow } from './transaction-row.ts'
import { type TransactionView, transactionView } from './transaction-view.ts'

/**
 * Both as they are in the commit that this is a part of, with versions raised already. Answers the
 * parent as it was told.
 */
export async function tellFollowUp(
  world: World,
  query: Query,
  books: Books,
  parent: TransactionRow,
  child: Transaction,
): Promise<TransactionView> {
  const family = await familyOf(query, books.accountId, [parent])
  // That one is PENDING is told later than it has been so.
  const told = (one: Transaction) => ({ ...one, updatedAt: books.now })
  const type = child.version === 1 ? 'create_transaction' : 'update_transaction'
  const childView = transactionView(withParentsOwn(child, parent), books, family)
  await insertEvent(world, query, changeOf(type, told(child), childView, child))
  const view = transactionView(parent, books, family)
  await insertEvent(world, query, changeOf('update_transaction', told(parent), view, child))
  return view
}

/** Customer and payment method are its parent's, and so is the link. */
function withParentsOwn(child: Transaction, parent: TransactionRow): TransactionRow {
  const { customer, paymentMethod, paymentLinkDeletedAt } = parent
  return { ...child, customer, paymentMethod, paymentLinkDeletedAt }
}
