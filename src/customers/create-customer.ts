// Creates a customer. Row, event and the answer to repeats are one commit.

import type { RequestContext } from '../accounts/acting-account.ts'
import type { Customer } from '../generated/client.ts'
import { type Done, once } from '../idempotency/once.ts'
import { firstVersion } from '../resource/row-versions.ts'
import type { World } from '../world.ts'
import { CUSTOMER, type CustomerInput, customers, customerView } from './customer.ts'

export async function createCustomer(
  world: World,
  context: RequestContext,
  input: CustomerInput,
): Promise<Done> {
  const row = newCustomerRow(world, context, input)
  const request = CUSTOMER.canonical(row)
  const claim = { operation: 'create_customer', request, resourceId: row.id }
  return once(world, context, claim, async (query) => {
    await customers.insert(world, query, context, row)
    return customerView(row)
  })
}

export function newCustomerRow(
  world: World,
  context: RequestContext,
  input: CustomerInput,
): Customer {
  const now = world.accountNow(context)
  return {
    ...CUSTOMER.newColumns(input),
    accountId: context.accountId,
    id: world.newId(),
    ...firstVersion(now),
  }
}
