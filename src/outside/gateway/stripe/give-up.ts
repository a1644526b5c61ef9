// Makes sure that an order can never be carried out any more. Its key is used for a request that
// moves nothing: from then on Stripe refuses the order under that key. If the key is taken already,
// the order was carried out, or still is being: then Stripe's records say what became of it.

import { isKeyKept } from '../order-marks.ts'
import type { OrderState } from '../port.ts'
import { UNANSWERED, unansweredByPayer } from './answers.ts'
import { askForOrder, cancelIntent, OF_ANOTHER, type StripeCall } from './ask.ts'
import { lookUpAtStripe } from './look-up.ts'
import { isOfAnotherRequest, readRefusal } from './refusals.ts'
import { blockingIntentOf, idempotencyKeyOf, OUR_BLOCKER, verbOf } from './requests.ts'

export async function giveUpAtStripe(call: StripeCall): Promise<OrderState> {
  const { order } = call
  if (isKeyKept(order) && (await isBlocked(call))) return { kind: 'never_made' }
  const found = await lookUpAtStripe(call)
  // It was sent, and Stripe has not recorded it yet, or its key is not known any more.
  if (found.kind === 'never_made') return { kind: 'undecided', gatewayId: order.gatewayId }
  if (found.kind !== 'undecided' || verbOf(order) !== 'create') return found
  return endUnfinished(call, found)
}

/** True if the key can serve the order no more. */
async function isBlocked(call: StripeCall): Promise<boolean> {
  const { order } = call
  const request = { idempotencyKey: idempotencyKeyOf(order) }
  try {
    const { id, metadata } = await askForOrder(call, request, ({ paymentIntents }, options) =>
      paymentIntents.create(blockingIntentOf(order), options),
    )
    if (metadata?.[OUR_BLOCKER] !== order.key) throw new Error(OF_ANOTHER)
    await cancelIntent(call, id, 'end').catch(() => {})
    return true
  } catch (error) {
    const refusal = readRefusal(error)
    if (refusal === undefined) throw error
    if (isOfAnotherRequest(refusal)) return false
    // An error that is replayed to this request is kept under the key: the order never gets it.
    if (refusal.isReplayed && refusal.status >= 500) return true
    throw error
  }
}

/** A payment that waits for its payer can still be ended; a bank debit under way cannot. */
async function endUnfinished(
  call: StripeCall,
  found: OrderState & { readonly kind: 'undecided' },
): Promise<OrderState> {
  if (found.gatewayId === null || found.decidedBy !== undefined) return found
  try {
    await cancelIntent(call, found.gatewayId, 'end', { cancellation_reason: UNANSWERED })
  } catch (error) {
    // The payer has answered at this moment.
    if (readRefusal(error)?.status !== 400) throw error
    return lookUpAtStripe(call)
  }
  return { kind: 'declined', gatewayId: found.gatewayId, ...unansweredByPayer(call.order.method) }
}
