// Creates a customer. Row, event and the answer to repeats are one commit.

import type { Asking } from '../accounts/asking.ts'
import type { Customer } from '../generated/client.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import { CUSTOMER, type CustomerInput, customers, customerView } from './customer.ts'

export async function createCustomer(
  world: World,
  asking: Asking,
  input: CustomerInput,
): Promise<Done> {
  const row = newCustomerRow(world, asking, input)
  const { accountId, idempotencyKey } = asking
  const doing = {
    accountId,
    idempotencyKey,
    operation: 'create_customer',
    request: CUSTOMER.said(row),
    resourceId: row.id,
  }
  return once(world, doing, async (query) => {
    await customers.insert(world, query, asking, row)
    return customerView(row)
  })
}

export function newCustomerRow(world: World, asking: Asking, input: CustomerInput): Customer {
  const now = world.accountNow(asking)
  return {
    ...CUSTOMER.newColumns(input),
    accountId: asking.accountId,
    id: world.newId(),
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
}
