// Deletes a customer whom no active schedule bills, and his payment methods, in one commit. The
// rows stay for the transactions that were made of them.

import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import { columnsOf } from '../db/columns.ts'
import { changeOf, insertEvent } from '../events/insert-event.ts'
import type { Customer, PaymentMethod } from '../generated/client.ts'
import type { World } from '../world.ts'
import { customerView } from './customer-view.ts'
import { holdCustomerToDelete } from './customer-writes.ts'
import { deletePaymentMethods } from './payment-method-writes.ts'
import { refuseBilledCustomer } from './schedules-using.ts'

const paymentMethod = columnsOf<PaymentMethod>('PaymentMethod', 'm')

const HOLD_METHODS = `
  SELECT ${paymentMethod.list} FROM payment_method m
  WHERE account_id = $1 AND customer_id = $2 AND deleted_at IS NULL
  ORDER BY id FOR UPDATE`

const DELETE = `
  UPDATE customer SET deleted_at = $3, version = version + 1 WHERE account_id = $1 AND id = $2`

/** Answers the customer as he was last. */
export function deleteCustomer(world: World, asking: Asking, id: string): Promise<Customer> {
  const { accountId } = asking
  const at = world.accountNow(asking)
  return world.db.commit(`customer ${accountId} ${id}`, async (query) => {
    const row = await holdCustomerToDelete(query, { accountId, id })
    if (row === undefined) throw new Refusal('not_found')
    await refuseBilledCustomer(query, { accountId, id })
    const methods = (await query(HOLD_METHODS, [accountId, id])).map(paymentMethod.read)
    await query(DELETE, [accountId, id, at])
    await deletePaymentMethods(world, query, asking, methods)
    const deleted = { ...row, version: row.version + 1, updatedAt: at }
    await insertEvent(world, query, changeOf('delete_customer', deleted, customerView(row), asking))
    return row
  })
}
