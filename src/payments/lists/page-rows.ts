// Reads the transactions of a page by their ids. A page often has few customers and few payment
// methods, so each of them is read once, rather than with every transaction.

import { customerColumns } from '../../customers/customer.ts'
import { methodColumns } from '../../customers/payment-method.ts'
import type { RowKey } from '../../db/columns.ts'
import type { Database } from '../../db/database.ts'
import { type GatheredStatement, gatheredLookUp } from '../../db/gathered.ts'
import {
  BATCH_JOIN,
  LINK_JOIN,
  LINKED_COLUMNS,
  readLinked,
  type TransactionRow,
} from '../transaction/transaction-row.ts'

export const findLinked = gatheredLookUp({
  name: 'find-linked-transaction',
  table: 'transaction',
  alias: 't',
  columns: LINKED_COLUMNS,
  joins: `${BATCH_JOIN} ${LINK_JOIN}`,
  read: readLinked,
})

export const findCustomerOf = gatheredLookUp({
  name: 'find-customer',
  table: 'customer',
  alias: 'c',
  columns: customerColumns.list,
  read: customerColumns.read,
})

export const findMethodOf = gatheredLookUp({
  name: 'find-payment-method',
  table: 'payment_method',
  alias: 'm',
  columns: methodColumns.list,
  read: methodColumns.read,
})

/**
 * The rows in the order of the ids. Each statement serves other requests of the same moment as
 * well.
 */
export async function pageRows(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<readonly TransactionRow[]> {
  const found = await Promise.all(ids.map((id) => db.ask(findLinked, { accountId, id })))
  const linked = found.filter((one) => one !== undefined)
  const [customers, methods] = await Promise.all([
    readEach(db, findCustomerOf, accountId, new Set(linked.map((one) => one.customerId))),
    readEach(db, findMethodOf, accountId, new Set(linked.map((one) => one.paymentMethodId))),
  ])
  return linked.flatMap((one) => {
    const customer = customers.get(one.customerId)
    const paymentMethod = methods.get(one.paymentMethodId)
    if (customer === undefined || paymentMethod === undefined) return []
    return [Object.assign(one, { customer, paymentMethod })]
  })
}

async function readEach<T extends { readonly id: string }>(
  db: Database,
  statement: GatheredStatement<RowKey, T>,
  accountId: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, T>> {
  const found = await Promise.all([...ids].map((id) => db.ask(statement, { accountId, id })))
  return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.id, one]])))
}
