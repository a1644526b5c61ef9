// The request to Stripe for an order. It is made only from the frozen values of the order, so that
// every repeat is the same request under the same key, and Stripe carries it out once.

import type Stripe from 'stripe'
import { OUR_ACCOUNT, OUR_OPERATION } from '../order-marks.ts'
import type { Order } from '../port.ts'
import { isFromPage, type StripeToken } from './token.ts'

/** The metadata by which an order is found again, besides the account. */
export const OUR_KEY = 'lamplighter_id'
/** The metadata of a hold that name the capture that took it. */
export const OUR_CAPTURE = 'lamplighter_capture'

/** A refund of a bank debit is a `pyr_…`. */
export const REFUND_ID = /^(re|pyr)_/

/** The endpoint that carries out an order. */
export type StripeVerb = 'create' | 'capture' | 'cancel' | 'refund'

/** A void of a hold releases it; the money of a captured charge is returned in full. */
export function verbOf({ operation, parent }: Pick<Order, 'operation' | 'parent'>): StripeVerb {
  switch (operation) {
    case 'charge':
    case 'pre_auth':
      return 'create'
    case 'capture':
      return 'capture'
    case 'refund':
      return 'refund'
    case 'void':
      return parent?.operation === 'pre_auth' ? 'cancel' : 'refund'
  }
}

/** One key for each order. The verb shows an operator the kind of request in Stripe's log. */
export function idempotencyKeyOf(order: Order): string {
  return `${order.key}:${verbOf(order)}`
}

export function intentOf(order: Order, token: StripeToken): Stripe.PaymentIntentCreateParams {
  const { amount, currency, method, operation } = order
  return {
    amount: Number(amount),
    currency: currency.toLowerCase(),
    customer: token.customer,
    capture_method: operation === 'pre_auth' ? 'manual' : 'automatic',
    confirm: true,
    metadata: metadataOf(order),
    ...(method === 'bank' && { payment_method_options: AT_ONCE }),
    ...(isFromPage(token) ? methodOfPage(token) : keptMethod(token, method)),
  }
}

/** No small deposits, which a payer would have to look for in an account statement days later. */
const AT_ONCE = { us_bank_account: { verification_method: 'instant' } } as const

/** The kinds of payment methods that payers' pages offer. */
const PAGE_METHODS = ['card', 'us_bank_account'] as const

/** Confirmed while the payer looks on. The token holds the payer's agreement to a debit. */
function methodOfPage({ method }: StripeToken): Partial<Stripe.PaymentIntentCreateParams> {
  return { confirmation_token: method, allowed_payment_method_types: [...PAGE_METHODS] }
}

function keptMethod(
  { method: payment_method }: StripeToken,
  method: Order['method'],
): Partial<Stripe.PaymentIntentCreateParams> {
  return {
    payment_method,
    off_session: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    // The payer agreed to it outside of this request, with the merchant.
    ...(method === 'bank' && { mandate_data: { customer_acceptance: { type: 'offline' } } }),
  }
}

export function captureOf({ amount, key }: Order): Stripe.PaymentIntentCaptureParams {
  return { amount_to_capture: Number(amount), metadata: { [OUR_CAPTURE]: key } }
}

/** Only its own void cancels a hold with this reason. */
export const OUR_CANCELLATION = 'requested_by_customer'

export function refundOf(order: Order, intentId: string): Stripe.RefundCreateParams {
  return {
    payment_intent: intentId,
    amount: Number(order.amount),
    metadata: metadataOf(order),
  }
}

/** Stripe refuses a payment of less than $0.50, but not a refund or a capture. */
const BLOCKER_AMOUNT = 100

/** The metadata of it that name the order. */
export const OUR_BLOCKER = 'lamplighter_given_up'

/**
 * It moves no money: a payment that is not confirmed. Sent under an order's key, it makes that key
 * useless for the order.
 */
export function blockingIntentOf({ currency, key }: Order): Stripe.PaymentIntentCreateParams {
  return {
    amount: BLOCKER_AMOUNT,
    currency: currency.toLowerCase(),
    description: 'Blocks the key of an order that was given up',
    metadata: { [OUR_BLOCKER]: key },
  }
}

function metadataOf({ accountId, key, operation }: Order): Record<string, string> {
  return { [OUR_KEY]: key, [OUR_ACCOUNT]: accountId, [OUR_OPERATION]: operation }
}
