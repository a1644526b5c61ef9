// Changes the fields of a customer that were sent, and leaves the others as they are.

import type { RequestContext } from '../accounts/acting-account.ts'
import { Refusal } from '../core/errors.ts'
import type { Customer } from '../generated/client.ts'
import type { World } from '../world.ts'
import { changedRow } from './change-payment-method.ts'
import { type CustomerInput, customers, isNamed, NAMELESS } from './customer.ts'

export function changeCustomer(
  world: World,
  context: RequestContext,
  id: string,
  change: CustomerInput,
): Promise<Customer> {
  const { accountId } = context
  return world.db.commit(`customer ${accountId} ${id}`, async (query) => {
    const row = await customers.hold(query, { accountId, id })
    if (row === undefined) throw new Refusal('not_found')
    const next = changedRow(row, change, world.accountNow(context))
    if (next === undefined) return row
    if (!isNamed(next)) throw new Refusal('invalid_request', { faults: { firstname: [NAMELESS] } })
    await customers.update(world, query, context, next)
    return next
  })
}
