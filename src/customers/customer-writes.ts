// Holds a customer, and writes one with its event, in a commit.

import type { Asking } from '../accounts/asking.ts'
import { columnsOf } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import { changeOf, insertEvent } from '../events/insert-event.ts'
import type { Customer } from '../generated/client.ts'
import type { World } from '../world.ts'
import { customerView } from './customer-view.ts'

const customers = columnsOf<Customer>('Customer', 'c')

const HOLD = `
  SELECT ${customers.list} FROM customer c
  WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`

const HOLD_TO_DELETE = `
  SELECT ${customers.list} FROM customer c
  WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`

type Named = Pick<Customer, 'accountId' | 'id'>

/**
 * Until the commit nobody else changes or deletes the customer; undefined where it is deleted or
 * unknown. A commit that also holds its payment methods holds it first, so that no two commits wait
 * for each other.
 */
export async function holdCustomer(
  query: Query,
  { accountId, id }: Named,
): Promise<Customer | undefined> {
  const [row] = await query(HOLD, [accountId, id])
  return row && customers.read(row)
}

/** The same; nobody else makes a payment method or a schedule of the customer either. */
export async function holdCustomerToDelete(
  query: Query,
  { accountId, id }: Named,
): Promise<Customer | undefined> {
  const [row] = await query(HOLD_TO_DELETE, [accountId, id])
  return row && customers.read(row)
}

export async function insertCustomer(
  world: World,
  query: Query,
  asking: Asking,
  row: Customer,
): Promise<void> {
  await customers.insert(query, row)
  await tell(world, query, asking, 'create_customer', row)
}

/** The next version of a customer that is held. */
export async function updateCustomer(
  world: World,
  query: Query,
  asking: Asking,
  next: Customer,
): Promise<void> {
  await customers.update(query, next)
  await tell(world, query, asking, 'update_customer', next)
}

function tell(
  world: World,
  query: Query,
  asking: Asking,
  type: 'create_customer' | 'update_customer',
  row: Customer,
): Promise<void> {
  return insertEvent(world, query, changeOf(type, row, customerView(row), asking))
}
