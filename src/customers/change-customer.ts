// Changes what is sent of a customer, and leaves the rest as it is.

import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import type { Customer } from '../generated/client.ts'
import type { World } from '../world.ts'
import { changedRow } from './changed-row.ts'
import type { NewCustomer } from './create-customer.ts'
import { customers } from './customers.ts'
import { isNamed, NAMELESS } from './naming.ts'

/** What is absent stays, null empties a field. */
export function changeCustomer(
  world: World,
  asking: Asking,
  id: string,
  change: NewCustomer,
): Promise<Customer> {
  const { accountId } = asking
  return world.db.commit(`customer ${accountId} ${id}`, async (query) => {
    const row = await customers.hold(query, { accountId, id })
    if (row === undefined) throw new Refusal('not_found')
    const next = changedRow(row, change as Partial<Customer>, world.accountNow(asking))
    if (next === undefined) return row
    if (!isNamed(next)) throw new Refusal('invalid_request', { faults: { firstname: [NAMELESS] } })
    await customers.update(world, query, asking, next)
    return next
  })
}
