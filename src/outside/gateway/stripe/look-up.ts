// Looks up the state of an order in Stripe's own records. It reads lists, which contain the newest
// objects, and never the search, which may lack them.

import type Stripe from 'stripe'
import { after } from '../../../core/time-units.ts'
import { bookedAt } from '../order-marks.ts'
import type { Order, OrderState } from '../port.ts'
import { answerOfIntent, answerOfRefund, needsSmallDeposits, UNANSWERED } from './answers.ts'
import { askForOrder, cancelIntent, named, retrieveIntent, type StripeCall } from './ask.ts'
import { PAGE, SKEW_MS, secondsOf } from './pages.ts'
import { readRefusal } from './refusals.ts'
import { OUR_CANCELLATION, OUR_CAPTURE, OUR_KEY, verbOf } from './requests.ts'
import { isFromPage, readStripeToken } from './token.ts'

export async function lookUpAtStripe(call: StripeCall): Promise<OrderState> {
  switch (verbOf(call.order)) {
    case 'create': {
      const intent = await findIntent(call)
      if (intent === undefined) return { kind: 'never_made' }
      return answerOfIntent(await closedIfRefused(call, intent), call.order.method)
    }
    case 'capture':
      return lookUpCapture(call)
    case 'cancel':
      return lookUpCancellation(call)
    case 'refund': {
      const refund = await findRefund(call)
      return refund === undefined ? { kind: 'never_made' } : answerOfRefund(refund)
    }
  }
}

async function findIntent(call: StripeCall): Promise<Stripe.PaymentIntent | undefined> {
  const { order } = call
  if (order.gatewayId !== null) return retrieveIntent(call, order.gatewayId)
  const { customer } = readStripeToken(order.token)
  const since = secondsOf(after(bookedAt(order.key), -SKEW_MS))
  const made = { customer, created: { gte: since }, limit: PAGE }
  return askForOrder(call, {}, ({ paymentIntents }, options) =>
    firstOf(paymentIntents.list(made, options), isOurs(order)),
  )
}

/**
 * A payer's browser could still confirm a refused payment with another card, and a payer could
 * verify a bank account days later. So it is closed before it is called declined.
 */
async function closedIfRefused(
  call: StripeCall,
  intent: Stripe.PaymentIntent,
): Promise<Stripe.PaymentIntent> {
  const { id, last_payment_error: error, status } = intent
  const isUnverified = needsSmallDeposits(intent)
  const isRefused = status === 'requires_payment_method' && error !== null
  const isOpen = isRefused && isFromPage(readStripeToken(call.order.token))
  if (!isUnverified && !isOpen) return intent
  const reason = isUnverified ? { cancellation_reason: UNANSWERED } : {}
  try {
    const canceled = await cancelIntent(call, id, 'refused', reason)
    return isUnverified ? canceled : intent
  } catch (failure) {
    // It was confirmed or verified meanwhile.
    if (readRefusal(failure)?.status !== 400) throw failure
    return retrieveIntent(call, id)
  }
}

function findRefund(call: StripeCall): Promise<Stripe.Refund | undefined> {
  const { order } = call
  return askForOrder(call, {}, async ({ refunds }, options) => {
    const { gatewayId: id } = order
    if (id !== null) return named(id, refunds.retrieve(id, {}, options))
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
async function lookUpCapture(call: StripeCall): Promise<OrderState> {
  const hold = await retrieveParent(call)
  const isMade = hold.metadata[OUR_CAPTURE] === call.order.key && hold.status !== 'requires_capture'
  return isMade ? answerOfIntent(hold, call.order.method) : { kind: 'never_made' }
}

async function lookUpCancellation(call: StripeCall): Promise<OrderState> {
  const { id, status, cancellation_reason: reason } = await retrieveParent(call)
  const isMade = status === 'canceled' && reason === OUR_CANCELLATION
  return isMade ? { kind: 'approved', gatewayId: id, message: 'Approved' } : { kind: 'never_made' }
}

function retrieveParent(call: StripeCall): Promise<Stripe.PaymentIntent> {
  return retrieveIntent(call, call.order.parent?.gatewayId ?? '')
}
