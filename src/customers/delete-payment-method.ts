// Deletes a payment method that no active schedule needs. The row stays for the transactions that
// were made of it.

import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import { columnsOf } from '../db/columns.ts'
import type { PaymentMethod } from '../generated/client.ts'
import type { World } from '../world.ts'
import { findOwnPaymentMethod } from './find-payment-method.ts'
import { deletePaymentMethods } from './payment-method-writes.ts'
import { refusePayingMethod } from './schedules-using.ts'

const paymentMethod = columnsOf<PaymentMethod>('PaymentMethod', 'm')

/** From here on nobody makes a schedule that is paid with it: that holds it too. */
const HOLD = `
  SELECT ${paymentMethod.list} FROM payment_method m
  WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`

/** Answers the payment method as it was last. */
export async function deletePaymentMethod(
  world: World,
  asking: Asking,
  id: string,
): Promise<PaymentMethod> {
  const { accountId } = asking
  await findOwnPaymentMethod(world, accountId, id)
  return world.db.commit(`${accountId} ${id}`, async (query) => {
    const [found] = await query(HOLD, [accountId, id])
    if (found === undefined) throw new Refusal('not_found')
    const row = paymentMethod.read(found)
    await refusePayingMethod(query, row)
    await deletePaymentMethods(world, query, asking, [row])
    return row
  })
}
