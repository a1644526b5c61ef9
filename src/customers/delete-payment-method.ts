// Deletes a payment method that no active schedule needs. The row stays for the transactions that
// were made of it.

import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import { columnsOf } from '../db/columns.ts'
import { insertEvent } from '../events/insert-event.ts'
import type { PaymentMethod } from '../generated/client.ts'
import type { World } from '../world.ts'
import { findOwnPaymentMethod } from './find-payment-method.ts'
import { paymentMethodView } from './payment-method-view.ts'
import { refusePayingMethod } from './schedules-using.ts'

const paymentMethod = columnsOf<PaymentMethod>('PaymentMethod', 'm')

/** From here on nobody makes a schedule that is paid with it: that holds it too. */
const HOLD = `
  SELECT ${paymentMethod.list} FROM payment_method m
  WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`

const DELETE = `
  UPDATE payment_method SET deleted_at = $3, version = version + 1
  WHERE account_id = $1 AND id = $2`

/** Answers the payment method as it was last. */
export async function deletePaymentMethod(
  world: World,
  asking: Asking,
  id: string,
): Promise<PaymentMethod> {
  const { accountId, requestId } = asking
  const at = world.accountNow(asking)
  await findOwnPaymentMethod(world, accountId, id)
  return world.db.commit(`${accountId} ${id}`, async (query) => {
    const [found] = await query(HOLD, [accountId, id])
    if (found === undefined) throw new Refusal('not_found')
    const row = paymentMethod.read(found)
    await refusePayingMethod(query, row)
    await query(DELETE, [accountId, id, at])
    await insertEvent(world, query, {
      accountId,
      type: 'delete_payment_method',
      resourceId: row.id,
      sequence: row.version + 1,
      view: paymentMethodView(row),
      requestId,
      at,
    })
    return row
  })
}
