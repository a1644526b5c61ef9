// Deletes a payment method that no active schedule needs. The row stays for the transactions that
// were made of it.

import type { RequestContext } from '../accounts/acting-account.ts'
import { Refusal } from '../core/errors.ts'
import type { PaymentMethod } from '../generated/client.ts'
import type { World } from '../world.ts'
import { findOwnPaymentMethod } from './find-payment-method.ts'
import { paymentMethods } from './payment-method.ts'
import { refusePayingMethod } from './schedules-using.ts'

/** Answers the payment method as it was last. */
export async function deletePaymentMethod(
  world: World,
  context: RequestContext,
  id: string,
): Promise<PaymentMethod> {
  const { accountId } = context
  await findOwnPaymentMethod(world, accountId, id)
  return world.db.commit(`${accountId} ${id}`, async (query) => {
    // A commit that makes a schedule which is paid with it holds it too, and waits for this one.
    const row = await paymentMethods.hold(query, { accountId, id }, 'FOR UPDATE')
    if (row === undefined) throw new Refusal('not_found')
    await refusePayingMethod(query, row)
    const deletedAt = world.accountNow(context)
    await paymentMethods.delete(world, query, context, {
      ...row,
      version: row.version + 1,
      deletedAt,
    })
    return row
  })
}
