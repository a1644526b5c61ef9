// Carries out an order at Stripe: one request, under a key that never changes. A refusal is
// believed only if it says that nothing was, or will be, done under that key.

import type Stripe from 'stripe'
import { type AcceptedState, type Answer, NotSent, type Order } from '../port.ts'
import { answerOfIntent, answerOfRefund, reasonOf } from './answers.ts'
import { askForOrder, cancelIntent, OF_ANOTHER, type StripeCall, stripeError } from './ask.ts'
import { lookUpAtStripe } from './look-up.ts'
import {
  codeOf,
  declineOf,
  isBusy,
  isOfAccount,
  isOfAnotherRequest,
  readRefusal,
  type StripeRefusal,
} from './refusals.ts'
import {
  captureOf,
  idempotencyKeyOf,
  intentOf,
  OUR_CANCELLATION,
  OUR_CAPTURE,
  OUR_KEY,
  refundOf,
  verbOf,
} from './requests.ts'
import { readStripeToken } from './token.ts'

export async function carryOutAtStripe(call: StripeCall): Promise<Answer> {
  const { order } = call
  if (order.parent !== undefined && order.parent.gatewayId === null) return unknownParent()
  try {
    const request = { idempotencyKey: idempotencyKeyOf(order) }
    return await askForOrder(call, request, (stripe, options) => send(stripe, order, options))
  } catch (error) {
    if (error instanceof NotSent) return { kind: 'turned_away', message: error.message }
    const refusal = readRefusal(error)
    if (refusal === undefined) throw error
    return answerOfRefusal(call, refusal)
  }
}

const UNKNOWN_PARENT = 'The gateway does not know what it refers to'

function unknownParent(): Answer {
  return { kind: 'declined', gatewayId: null, ...reasonOf('request_refused', UNKNOWN_PARENT) }
}

async function send(
  { paymentIntents, refunds }: Stripe,
  order: Order,
  options: Stripe.RequestOptions,
): Promise<AcceptedState> {
  const parentId = order.parent?.gatewayId ?? ''
  switch (verbOf(order)) {
    case 'create': {
      const intent = intentOf(order, readStripeToken(order.token))
      const made = await paymentIntents.create(intent, options)
      return answerOfIntent(madeFor(order, made), order.method)
    }
    case 'capture': {
      const hold = await paymentIntents.capture(parentId, captureOf(order), options)
      return answerOfIntent(madeFor(order, hold, OUR_CAPTURE), order.method)
    }
    case 'cancel': {
      const params = { cancellation_reason: OUR_CANCELLATION } as const
      const { id, status } = await paymentIntents.cancel(parentId, params, options)
      if (id !== parentId || status !== 'canceled') throw new Error(OF_ANOTHER)
      return { kind: 'approved', gatewayId: id, message: 'Approved' }
    }
    case 'refund':
      return answerOfRefund(
        madeFor(order, await refunds.create(refundOf(order, parentId), options)),
      )
  }
}

function madeFor<A extends Pick<Stripe.PaymentIntent | Stripe.Refund, 'metadata'>>(
  { key }: Order,
  answer: A,
  mark = OUR_KEY,
): A {
  if (answer.metadata?.[mark] !== key) throw new Error(OF_ANOTHER)
  return answer
}

async function answerOfRefusal(call: StripeCall, refusal: StripeRefusal): Promise<Answer> {
  const { order } = call
  const { status } = refusal
  if (isOfAnotherRequest(refusal)) throw new Error('the key of the order is used by another')
  if (isBusy(refusal)) return { kind: 'undecided', gatewayId: order.gatewayId }
  if (isOfAccount(refusal) || status === 429) {
    return { kind: 'turned_away', message: `The gateway refused the call: ${codeOf(refusal)}` }
  }
  switch (status) {
    case 402:
      if (verbOf(order) === 'create' && refusal.intent) madeFor(order, refusal.intent)
      // The payment that a follow-up names is its parent, which another try may need.
      if (verbOf(order) === 'create') await closeDeclined(call, refusal)
      return {
        kind: 'declined',
        gatewayId: refusal.intent?.id ?? null,
        message: refusal.message,
        decline: declineOf(refusal),
      }
    case 400:
    case 404:
      return refusedRequest(call, refusal)
    default:
      throw new Error(`Stripe answered ${status} ${codeOf(refusal)}`)
  }
}

/**
 * Stripe's state does not allow it, or the request is wrong. An earlier order with the same key may
 * be the reason: a capture finds its own capture done.
 */
async function refusedRequest(call: StripeCall, refusal: StripeRefusal): Promise<Answer> {
  const { order } = call
  const found = order.parent === undefined ? undefined : await lookUpAtStripe(call)
  if (found !== undefined && found.kind !== 'never_made') return found
  // A follow-up is refused because of its parent's state, and a payment perhaps because of its
  // amount, which the merchant chose. Anything else is our mistake.
  const isOfAmount = AMOUNTS[codeOf(refusal)] !== undefined || VOLUMES.includes(codeOf(refusal))
  if (order.parent === undefined && !isOfAmount) {
    call.alarm('Stripe refuses a payment as a wrong request', { err: stripeError(refusal) })
  }
  const reason = reasonOfRequest(order, codeOf(refusal))
  return { kind: 'declined', gatewayId: refusal.intent?.id ?? null, ...reason }
}

/** Stripe's code for an object that the account does not have. */
const MISSING = 'resource_missing'

const DISPUTED: readonly string[] = ['charge_disputed', 'refund_disputed_payment']

/** Stripe waits for money only up to the overdraft that it grants the account. */
const POOR: readonly string[] = ['balance_insufficient', 'insufficient_balance_for_refund']

/** A limit of the account, above which Stripe takes bank debits again some days later. */
const VOLUMES: readonly string[] = [
  'charge_exceeds_transaction_limit',
  'charge_exceeds_weekly_limit',
]

/** In US dollars its bounds are 0.50 and 999,999.99. */
const AMOUNTS: Readonly<Record<string, string>> = {
  amount_too_small: 'The amount is smaller than the gateway takes',
  amount_too_large: 'The amount is larger than the gateway takes',
}

function reasonOfRequest({ parent }: Order, code: string) {
  if (VOLUMES.includes(code)) {
    const message = 'The gateway takes no more from bank accounts for the moment'
    return reasonOf('processing_error', message, code, 'later')
  }
  if (parent === undefined) {
    return reasonOf('request_refused', AMOUNTS[code] ?? 'The gateway refused the request', code)
  }
  if (code === MISSING) return reasonOf('request_refused', UNKNOWN_PARENT, code)
  if (DISPUTED.includes(code)) {
    return reasonOf('request_refused', 'The gateway returns nothing of a disputed payment', code)
  }
  if (POOR.includes(code)) {
    const message = 'The balance at the gateway does not cover the refund'
    return reasonOf('processing_error', message, code, 'later')
  }
  return reasonOf('nothing_left', 'The gateway has nothing left to take or to return', code)
}

/**
 * A refused payment stays open at Stripe. It moves nothing unless it is confirmed, so nothing
 * is lost if this fails.
 */
async function closeDeclined(call: StripeCall, { intent }: StripeRefusal): Promise<void> {
  if (intent === undefined || intent.status === 'canceled') return
  await cancelIntent(call, intent.id, 'close').catch(() => {})
}
