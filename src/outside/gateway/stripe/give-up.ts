// Makes sure that an order can never be carried out any more. Its key is used for a request that
// moves nothing: from then on Stripe refuses the order under that key. If the key is taken already,
// the order was carried out, or still is being: then Stripe's records say what became of it.

import type Stripe from 'stripe'
import { msOfId } from '../../../core/id.ts'
import { HOUR } from '../../../core/time-units.ts'
import type { Order, OrderState } from '../port.ts'
import { UNANSWERED, unansweredByPayer } from './answers.ts'
import { askForOrder, type StripeNeeds } from './ask.ts'
import { lookUp } from './look-up.ts'
import { isOfAnotherRequest, readRefusal } from './refusals.ts'
import { blockerOf, idempotencyKeyOf, verbOf } from './requests.ts'

/** Stripe keeps a key for 24 hours at least. Afterwards it could be used a second time. */
const KEYS_ARE_KEPT_MS = 23 * HOUR

export async function giveUp(
  needs: StripeNeeds,
  order: Order,
  signal: AbortSignal,
): Promise<OrderState> {
  const isKeyKept = order.now.getTime() - msOfId(order.key) < KEYS_ARE_KEPT_MS
  if (isKeyKept && (await isBlocked(needs, order, signal))) return { kind: 'never_made' }
  const found = await lookUp(needs, order, signal)
  // It was sent, and Stripe has not recorded it yet, or its key is not known any more.
  if (found.kind === 'never_made') return { kind: 'undecided', gatewayId: order.gatewayId }
  if (found.kind !== 'undecided' || verbOf(order) !== 'create') return found
  return endUnfinished(needs, order, found, signal)
}

/** True if the key can serve the order no more. */
async function isBlocked(needs: StripeNeeds, order: Order, signal: AbortSignal): Promise<boolean> {
  const request = { idempotencyKey: idempotencyKeyOf(order) }
  try {
    const { id } = await askForOrder(needs, order, request, signal, ({ paymentIntents }, options) =>
      paymentIntents.create(blockerOf(order), options),
    )
    await cancel(needs, order, id, {}, signal).catch(() => {})
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
  needs: StripeNeeds,
  order: Order,
  found: OrderState & { readonly kind: 'undecided' },
  signal: AbortSignal,
): Promise<OrderState> {
  if (found.gatewayId === null || found.decidedBy !== undefined) return found
  try {
    await cancel(needs, order, found.gatewayId, { cancellation_reason: UNANSWERED }, signal)
  } catch (error) {
    // The payer has answered at this moment.
    if (readRefusal(error)?.status !== 400) throw error
    return lookUp(needs, order, signal)
  }
  return { kind: 'declined', gatewayId: found.gatewayId, ...unansweredByPayer() }
}

function cancel(
  needs: StripeNeeds,
  order: Order,
  id: string,
  params: Stripe.PaymentIntentCancelParams,
  signal: AbortSignal,
) {
  const request = { idempotencyKey: `${order.key}:end`, isRepeatable: true }
  return askForOrder(needs, order, request, signal, ({ paymentIntents }, options) =>
    paymentIntents.cancel(id, params, options),
  )
}
