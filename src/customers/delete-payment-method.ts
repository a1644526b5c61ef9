// Deletes a payment method. The row stays for the transactions that were made of it.

import type { Asking } from '../accounts/asking.ts'
import { retryLostRace } from '../db/retry-lost-race.ts'
import type { PaymentMethod } from '../generated/client.ts'
import type { World } from '../world.ts'
import { findOwnPaymentMethod } from './find-payment-method.ts'
import { paymentMethodChange } from './payment-method-writes.ts'

/** Answers the payment method as it was last. */
export function deletePaymentMethod(
  world: World,
  asking: Asking,
  id: string,
): Promise<PaymentMethod> {
  const { accountId } = asking
  return retryLostRace(world.db, { accountId, id }, async () => {
    const row = await findOwnPaymentMethod(world, accountId, id)
    const next = { ...row, version: row.version + 1, deletedAt: world.accountNow(asking) }
    const writes = paymentMethodChange(world, asking, 'delete_payment_method', next)
    await world.db.prisma.$transaction(writes)
    return row
  })
}
