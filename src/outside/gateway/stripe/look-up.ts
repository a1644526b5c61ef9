// Looks up the state of an order in Stripe's own records. It reads lists, which contain the newest
// objects, and never the search, which may lack them.

import type Stripe from 'stripe'
import { msOfId } from '../../../core/id.ts'
import { MINUTE, SECOND } from '../../../core/time-units.ts'
import type { Order, OrderState } from '../port.ts'
import { answerOfIntent, answerOfRefund } from './answers.ts'
import { askForOrder, type StripeNeeds } from './ask.ts'
import { readRefusal } from './refusals.ts'
import { OUR_CANCELLATION, OUR_CAPTURE, OUR_KEY, verbOf } from './requests.ts'
import { isFromPage, readStripeToken } from './token.ts'

/** Our clock and Stripe's may differ by this. */
const SKEW_MS = 5 * MINUTE

/** The most that a list returns at once. */
export const PAGE = 100

export async function lookUp(
  needs: StripeNeeds,
  order: Order,
  signal: AbortSignal,
): Promise<OrderState> {
  switch (verbOf(order)) {
    case 'create': {
      const intent = await findIntent(needs, order, signal)
      if (intent === undefined) return { kind: 'never_made' }
      return answerOfIntent(await closedIfRefused(needs, order, intent, signal))
    }
    case 'capture':
      return lookUpCapture(needs, order, signal)
    case 'cancel':
      return lookUpCancellation(needs, order, signal)
    case 'refund': {
      const refund = await findRefund(needs, order, signal)
      return refund === undefined ? { kind: 'never_made' } : answerOfRefund(refund)
    }
  }
}

function findIntent(
  needs: StripeNeeds,
  order: Order,
  signal: AbortSignal,
): Promise<Stripe.PaymentIntent | undefined> {
  return askForOrder(needs, order, {}, signal, async ({ paymentIntents }, options) => {
    if (order.gatewayId !== null) return paymentIntents.retrieve(order.gatewayId, {}, options)
    const { customer } = readStripeToken(order.token)
    const since = Math.floor((msOfId(order.key) - SKEW_MS) / SECOND)
    const made = { customer, created: { gte: since }, limit: PAGE }
    return firstOf(paymentIntents.list(made, options), isOurs(order))
  })
}

/**
 * A payer's browser could still confirm a refused payment with another card. So it is closed before
 * it is called declined.
 */
async function closedIfRefused(
  needs: StripeNeeds,
  order: Order,
  intent: Stripe.PaymentIntent,
  signal: AbortSignal,
): Promise<Stripe.PaymentIntent> {
  const { id, last_payment_error: error, status } = intent
  if (!isFromPage(readStripeToken(order.token))) return intent
  if (status !== 'requires_payment_method' || error === null) return intent
  const request = { idempotencyKey: `${order.key}:refused`, isRepeatable: true }
  try {
    await askForOrder(needs, order, request, signal, ({ paymentIntents }, options) =>
      paymentIntents.cancel(id, {}, options),
    )
    return intent
  } catch (failure) {
    // It was confirmed meanwhile.
    if (readRefusal(failure)?.status !== 400) throw failure
    return askForOrder(needs, order, {}, signal, ({ paymentIntents }, options) =>
      paymentIntents.retrieve(id, {}, options),
    )
  }
}

function findRefund(
  needs: StripeNeeds,
  order: Order,
  signal: AbortSignal,
): Promise<Stripe.Refund | undefined> {
  return askForOrder(needs, order, {}, signal, async ({ refunds }, options) => {
    if (order.gatewayId !== null) return refunds.retrieve(order.gatewayId, {}, options)
    const payment_intent = order.parent?.gatewayId ?? ''
    return firstOf(refunds.list({ payment_intent, limit: PAGE }, options), isOurs(order))
  })
}

async function firstOf<T>(
  list: AsyncIterable<T>,
  isSought: (one: T) => boolean,
): Promise<T | undefined> {
  for await (const one of list) if (isSought(one)) return one
  return undefined
}

function isOurs({ key }: Order) {
  return ({ metadata }: { readonly metadata: Stripe.Metadata | null }) =>
    metadata?.[OUR_KEY] === key
}

/**
 * Stripe grants one of several captures of one hold; the hold's metadata names it. The name alone
 * takes no money: while it is held, the order can be sent again under its key.
 */
async function lookUpCapture(
  needs: StripeNeeds,
  order: Order,
  signal: AbortSignal,
): Promise<OrderState> {
  const hold = await parentOf(needs, order, signal)
  const isMade = hold.metadata[OUR_CAPTURE] === order.key && hold.status !== 'requires_capture'
  return isMade ? answerOfIntent(hold) : { kind: 'never_made' }
}

async function lookUpCancellation(
  needs: StripeNeeds,
  order: Order,
  signal: AbortSignal,
): Promise<OrderState> {
  const { id, status, cancellation_reason: reason } = await parentOf(needs, order, signal)
  const isMade = status === 'canceled' && reason === OUR_CANCELLATION
  return isMade ? { kind: 'approved', gatewayId: id, message: 'Approved' } : { kind: 'never_made' }
}

function parentOf(needs: StripeNeeds, order: Order, signal: AbortSignal) {
  const id = order.parent?.gatewayId ?? ''
  return askForOrder(needs, order, {}, signal, ({ paymentIntents }, options) =>
    paymentIntents.retrieve(id, {}, options),
  )
}
