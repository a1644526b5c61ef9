// Makes sure that an order can never be carried out any more. Its key is used for a request that
// moves nothing: a payment of 0, which only verifies the card. From then on Checkout.com answers
// the order under that key with this payment, and executes nothing. If the key is taken already,
// the order was accepted, and the records say what became of it.
//
// Checkout.com keeps a key only if its request was accepted. So an order that it carried out, and
// then answered with an error, does not hold its key, and could be blocked although it was made.
// Therefore the records are read as well, after the time within which everything that was accepted
// before the block is in them.

import { msOfId } from '../../../core/id.ts'
import { after, HOUR } from '../../../core/time-units.ts'
import type { Order, OrderState } from '../port.ts'
import { acceptedAtDeadline } from './answers.ts'
import type { CheckoutReply } from './client.ts'
import { lookUp } from './look-up.ts'
import {
  askOrAlarm,
  type CheckoutNeeds,
  type CheckoutPayment,
  errorOf,
  isAccepted,
} from './records.ts'
import { blockerOf, blockingReferenceOf, bodyOf, pathOf } from './requests.ts'

/** Checkout.com keeps a key for 24 hours. Afterwards it could be used a second time. */
const KEYS_ARE_KEPT_MS = 23 * HOUR

/** The key of the order is used up by the block, by the order itself, or is not known any more. */
type Block =
  | { readonly kind: 'blocked'; readonly since: Date }
  | { readonly kind: 'taken'; readonly gatewayId: string | null }
  | { readonly kind: 'unknown' }

export async function giveUp(
  needs: CheckoutNeeds,
  order: Order,
  signal: AbortSignal,
): Promise<OrderState> {
  const isKeyKept = order.now.getTime() - msOfId(order.key) < KEYS_ARE_KEPT_MS
  const block: Block = isKeyKept ? await blockOf(needs, order, signal) : { kind: 'unknown' }
  const gatewayId = block.kind === 'taken' ? block.gatewayId : order.gatewayId
  // Taken before the records are read, which must be complete at that time.
  const askedAt = needs.now()
  const found = await lookUp(needs, { ...order, gatewayId }, signal)
  switch (found.kind) {
    case 'approved':
    case 'declined':
      return found
    case 'undecided':
      return found.gatewayId === null ? found : acceptedAtDeadline(order, found.gatewayId)
    case 'never_made':
      return block.kind === 'blocked'
        ? onceRecorded(needs, block.since, askedAt)
        : { kind: 'undecided', gatewayId }
  }
}

async function blockOf(needs: CheckoutNeeds, order: Order, signal: AbortSignal): Promise<Block> {
  const request = { path: '/payments', body: blockerOf(order) }
  const reply = await sendUnderKey(needs, order, request, signal)
  // The order is being executed at this moment, or the card cannot be verified any more.
  if (!isAccepted(reply)) return { kind: 'unknown' }
  const made = reply.body as CheckoutPayment
  if (!isBlocker(order, reply)) {
    return { kind: 'taken', gatewayId: order.parent?.gatewayId ?? made.id }
  }
  const since = new Date(made.processed_on ?? made.requested_on ?? Number.NaN)
  const isBlocked = order.parent === undefined || (await isBlockedEverywhere(needs, order, signal))
  return isBlocked ? { kind: 'blocked', since } : { kind: 'unknown' }
}

/**
 * The documentation does not say whether a key that was used for a payment is used up for captures,
 * voids and refunds as well. So this sends such a request about a payment that does not exist, with
 * which nothing can move. It is answered with the block only if all endpoints know the key.
 */
async function isBlockedEverywhere(
  needs: CheckoutNeeds,
  order: Order,
  signal: AbortSignal,
): Promise<boolean> {
  const request = { path: pathOf(order, NO_PAYMENT), body: bodyOf(order) }
  return isBlocker(order, await sendUnderKey(needs, order, request, signal))
}

const NO_PAYMENT = `pay_${'a'.repeat(26)}`

async function sendUnderKey(
  needs: CheckoutNeeds,
  order: Order,
  request: { readonly path: string; readonly body: object },
  signal: AbortSignal,
): Promise<CheckoutReply> {
  const keyed = { ...request, method: 'POST', idempotencyKey: order.key } as const
  const reply = await askOrAlarm(needs, keyed, signal)
  if (reply.status === 401) throw new Error(`Checkout.com answered ${errorOf(reply).message}`)
  return reply
}

function isBlocker(order: Order, reply: CheckoutReply): boolean {
  const { reference } = reply.body as CheckoutPayment
  return isAccepted(reply) && reference === blockingReferenceOf(order)
}

function onceRecorded({ recordedWithinMs }: CheckoutNeeds, since: Date, askedAt: Date): OrderState {
  const decidedBy = after(since, recordedWithinMs)
  // Without the time of the block it is unknown when the records are complete.
  if (Number.isNaN(since.getTime())) return { kind: 'undecided', gatewayId: null }
  return askedAt >= decidedBy
    ? { kind: 'never_made' }
    : { kind: 'undecided', gatewayId: null, decidedBy }
}
