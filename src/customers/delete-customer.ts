// Deletes a customer whom no active schedule bills, and his payment methods, in one commit. The
// rows stay for the transactions that were made of them.

import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import { columnsOf } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import { insertEvent } from '../events/insert-event.ts'
import type { Customer, PaymentMethod } from '../generated/client.ts'
import type { World } from '../world.ts'
import { customerView } from './customer-view.ts'
import { paymentMethodView } from './payment-method-view.ts'
import { refuseBilledCustomer } from './schedules-using.ts'

const customer = columnsOf<Customer>('Customer', 'c')
const paymentMethod = columnsOf<PaymentMethod>('PaymentMethod', 'm')

/** From here on nobody gives him another payment method, or a schedule: that holds him too. */
const HOLD = `
  SELECT ${customer.list} FROM customer c
  WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`

const HOLD_METHODS = `
  SELECT ${paymentMethod.list} FROM payment_method m
  WHERE account_id = $1 AND customer_id = $2 AND deleted_at IS NULL
  ORDER BY id FOR UPDATE`

const DELETE = `
  UPDATE customer SET deleted_at = $3, version = version + 1 WHERE account_id = $1 AND id = $2`

const DELETE_METHODS = `
  UPDATE payment_method SET deleted_at = $3, version = version + 1
  WHERE account_id = $1 AND customer_id = $2 AND deleted_at IS NULL`

/** Answers the customer as he was last. */
export function deleteCustomer(world: World, asking: Asking, id: string): Promise<Customer> {
  const { accountId } = asking
  const at = world.accountNow(asking)
  return world.db.commit(`${accountId} ${id}`, async (query) => {
    const [found] = await query(HOLD, [accountId, id])
    if (found === undefined) throw new Refusal('not_found')
    await refuseBilledCustomer(query, { accountId, id })
    const methods = (await query(HOLD_METHODS, [accountId, id])).map(paymentMethod.read)
    await query(DELETE_METHODS, [accountId, id, at])
    await query(DELETE, [accountId, id, at])
    for (const one of methods) await tellOfMethod(world, asking, query, one, at)
    const row = customer.read(found)
    await insertEvent(world, query, {
      accountId,
      type: 'delete_customer',
      resourceId: row.id,
      sequence: row.version + 1,
      view: customerView(row),
      requestId: asking.requestId,
      at,
    })
    return row
  })
}

function tellOfMethod(
  world: World,
  asking: Asking,
  query: Query,
  row: PaymentMethod,
  at: Date,
): Promise<void> {
  return insertEvent(world, query, {
    accountId: row.accountId,
    type: 'delete_payment_method',
    resourceId: row.id,
    sequence: row.version + 1,
    view: paymentMethodView(row),
    requestId: asking.requestId,
    at,
  })
}
