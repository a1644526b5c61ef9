// Changes a customer's fields that the request sends, and deletes customers.

import type { RequestContext } from '../accounts/acting-account.ts'
import { wrongField } from '../core/errors.ts'
import { orNotFound } from '../core/or-not-found.ts'
import type { Customer } from '../generated/client.ts'
import { changedRow } from '../resource/row-versions.ts'
import type { World } from '../world.ts'
import { type CustomerInput, customers, isNamed, NAMELESS } from './customer.ts'
import { deletedMethod } from './delete-payment-method.ts'
import { methodColumns, paymentMethods } from './payment-method.ts'
import { refuseBilledCustomer } from './refuse-used.ts'

export function changeCustomer(
  world: World,
  context: RequestContext,
  id: string,
  change: CustomerInput,
): Promise<Customer> {
  const { accountId } = context
  return world.db.commit(`customer ${accountId} ${id}`, async (query) => {
    const row = orNotFound(await customers.hold(query, { accountId, id }))
    const next = changedRow(row, change, world.accountNow(context))
    if (next === undefined) return row
    if (!isNamed(next)) throw wrongField('firstname', NAMELESS)
    await customers.update(world, query, context, next)
    return next
  })
}

const HOLD_METHODS = `
  SELECT ${methodColumns.list} FROM payment_method m
  WHERE account_id = $1 AND customer_id = $2 AND deleted_at IS NULL
  ORDER BY id FOR UPDATE`

/**
 * Deletes a customer that no active schedule bills, with the payment methods, in one commit. The
 * rows stay, because past transactions refer to them.
 *
 * Returns the customer's last state.
 */
export function deleteCustomer(
  world: World,
  context: RequestContext,
  id: string,
): Promise<Customer> {
  const { accountId } = context
  return world.db.commit(`customer ${accountId} ${id}`, async (query) => {
    // Until the commit no request can create a payment method or a schedule for the customer.
    const row = orNotFound(await customers.hold(query, { accountId, id }, 'FOR UPDATE'))
    await refuseBilledCustomer(query, { accountId, id })
    const methods = (await query(HOLD_METHODS, [accountId, id])).map(methodColumns.read)
    const deletedAt = world.accountNow(context)
    const gone = methods.map((method) => deletedMethod(world, method, deletedAt))
    await paymentMethods.delete(world, query, context, ...gone)
    await customers.delete(world, query, context, { ...row, version: row.version + 1, deletedAt })
    return row
  })
}
