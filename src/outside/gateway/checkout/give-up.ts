// Makes sure that an order can never be carried out any more. Its key is used for a request that
// moves nothing: a payment of 0, which only verifies the card. From then on Checkout.com answers
// the order under that key with this payment, and executes nothing. If the key is taken already,
// the order was accepted, and the records say what became of it.
//
// Checkout.com keeps a key only if its request was accepted. So an order that it carried out, and
// then answered with an error, does not hold its key, and could be blocked although it was made.
// Therefore the records are read as well, after the time within which everything that was accepted
// before the block is in them.

import { after } from '../../../core/time-units.ts'
import { isKeyKept } from '../order-marks.ts'
import type { Order, OrderState } from '../port.ts'
import { acceptedAtDeadline } from './answers.ts'
import type { CheckoutReply } from './client.ts'
import { lookUpAtCheckout } from './look-up.ts'
import {
  askOrAlarm,
  type CheckoutCall,
  type CheckoutPayment,
  isAccepted,
  silenceOf,
} from './records.ts'
import { blockingPaymentOf, blockingReferenceOf, bodyOf, pathOf } from './requests.ts'

/** The key of the order is used up by the block, by the order itself, or is not known any more. */
type Block =
  | { readonly kind: 'blocked'; readonly since: Date }
  | { readonly kind: 'taken'; readonly gatewayId: string | null }
  | { readonly kind: 'unknown' }

export async function giveUpAtCheckout(call: CheckoutCall): Promise<OrderState> {
  const { order } = call
  const block: Block = isKeyKept(order) ? await blockOf(call) : { kind: 'unknown' }
  const gatewayId = block.kind === 'taken' ? block.gatewayId : order.gatewayId
  // Taken before the records are read, which must be complete at that time.
  const askedAt = call.now()
  const found = await lookUpAtCheckout({ ...call, order: { ...order, gatewayId } })
  switch (found.kind) {
    case 'approved':
    case 'declined':
      return found
    case 'undecided':
      return found.gatewayId === null ? found : acceptedAtDeadline(order, found.gatewayId)
    case 'never_made':
      return block.kind === 'blocked'
        ? onceRecorded(call, block.since, askedAt)
        : { kind: 'undecided', gatewayId }
  }
}

async function blockOf(call: CheckoutCall): Promise<Block> {
  const { order } = call
  const reply = await sendUnderKey(call, '/payments', blockingPaymentOf(order))
  // The card cannot be verified any more, for instance.
  if (!isAccepted(reply)) return { kind: 'unknown' }
  const made = reply.body as CheckoutPayment
  if (!isBlocker(order, reply)) {
    return { kind: 'taken', gatewayId: order.parent?.gatewayId ?? made.id }
  }
  const since = new Date(made.processed_on ?? made.requested_on ?? Number.NaN)
  const isBlocked = order.parent === undefined || (await isBlockedEverywhere(call))
  return isBlocked ? { kind: 'blocked', since } : { kind: 'unknown' }
}

/**
 * The documentation does not say whether a key that was used for a payment is used up for captures,
 * voids and refunds as well. So this sends such a request about a payment that does not exist, with
 * which nothing can move. It is answered with the block only if all endpoints know the key.
 */
async function isBlockedEverywhere(call: CheckoutCall): Promise<boolean> {
  const { order } = call
  const reply = await sendUnderKey(call, pathOf(order, NO_PAYMENT), bodyOf(order))
  return isBlocker(order, reply)
}

const NO_PAYMENT = `pay_${'a'.repeat(26)}`

async function sendUnderKey(
  call: CheckoutCall,
  path: string,
  body: object,
): Promise<CheckoutReply> {
  const request = { method: 'POST', path, body, idempotencyKey: call.order.key } as const
  const reply = await askOrAlarm(call, request)
  if (reply.status === 401 || reply.status === 429) throw silenceOf(reply)
  return reply
}

function isBlocker(order: Order, reply: CheckoutReply): boolean {
  const { reference } = reply.body as CheckoutPayment
  return isAccepted(reply) && reference === blockingReferenceOf(order)
}

function onceRecorded({ recordedWithinMs }: CheckoutCall, since: Date, askedAt: Date): OrderState {
  const decidedBy = after(since, recordedWithinMs)
  // Without the time of the block it is unknown when the records are complete.
  if (Number.isNaN(since.getTime())) return { kind: 'undecided', gatewayId: null }
  return askedAt >= decidedBy
    ? { kind: 'never_made' }
    : { kind: 'undecided', gatewayId: null, decidedBy }
}
