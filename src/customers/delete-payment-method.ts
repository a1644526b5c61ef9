// Deletes a payment method, unless an active schedule uses it, or an invoice is being paid with it
// or will be again. The row stays, because past transactions refer to it.

import type { RequestContext } from '../accounts/acting-account.ts'
import { orNotFound } from '../core/or-not-found.ts'
import { after } from '../core/time-units.ts'
import type { PaymentMethod } from '../generated/client.ts'
import type { World } from '../world.ts'
import { findOwnPaymentMethod } from './find-payment-method.ts'
import { REFUSED_BEFORE_MS } from './forget-deleted-methods.ts'
import { paymentMethods } from './payment-method.ts'
import { refusePayingMethod } from './refuse-used.ts'

/** Returns the last state of the payment method. */
export async function deletePaymentMethod(
  world: World,
  context: RequestContext,
  id: string,
): Promise<PaymentMethod> {
  const { accountId } = context
  await findOwnPaymentMethod(world, { accountId, id })
  return world.db.commit(`${accountId} ${id}`, async (query) => {
    // A commit that creates a schedule with it locks the same row, and so waits for this one.
    const row = orNotFound(await paymentMethods.hold(query, { accountId, id }, 'FOR UPDATE'))
    await refusePayingMethod(query, row)
    const gone = deletedMethod(world, row, world.accountNow(context))
    await paymentMethods.delete(world, query, context, gone)
    return row
  })
}

/** The row as it stays. Its gateway is due to forget it. */
export function deletedMethod(world: World, row: PaymentMethod, deletedAt: Date): PaymentMethod {
  return { ...row, version: row.version + 1, deletedAt, forgetDueAt: forgetDueAt(world, row) }
}

/** Payments with it that are under way are decided before the gateway forgets it. */
function forgetDueAt(
  { clock, config, gateways }: World,
  { gatewayName }: PaymentMethod,
): Date | null {
  if (gatewayName === null) return null
  // A gateway that has no settings at the moment must forget it as well.
  const gateway = gateways.all.find(({ name }) => name === gatewayName)
  if (gateway !== undefined && gateway.forgetMethod === undefined) return null
  return after(clock.now(), config.pendingDeadlineMs + REFUSED_BEFORE_MS)
}
