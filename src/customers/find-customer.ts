// Finds a customer of an account. A missing one is undefined, a refusal of the path, or a refusal
// of the field that names it.

import { unknownId } from '../core/errors.ts'
import { orNotFound, undeleted } from '../core/or-not-found.ts'
import type { RowKey } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import type { Customer } from '../generated/client.ts'
import type { World } from '../world.ts'
import { customerColumns } from './customer.ts'

/** Undefined for an unknown or deleted customer, or one of another account. */
export async function knownCustomer(world: World, key: RowKey): Promise<Customer | undefined> {
  return undeleted(await customerColumns.find(world.db.query, key))
}

/**
 * The customer that the field `customer_id` names. Within a commit, `query` is the commit's own: a
 * second connection for each could leave none for anybody.
 */
export async function namedCustomer(
  query: Query,
  accountId: string,
  id: string,
): Promise<Customer> {
  const customer = undeleted(await customerColumns.find(query, { accountId, id }))
  if (customer === undefined) throw unknownId('customer_id')
  return customer
}

/** The customer of the path. */
export async function findCustomer(world: World, key: RowKey): Promise<Customer> {
  return orNotFound(await knownCustomer(world, key))
}
