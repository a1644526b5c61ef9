// The request to Checkout.com for an order. It is made only from the frozen values of the order, so
// that every repeat is the same request under the same key, and is carried out once.

import { createHash } from 'node:crypto'
import { OUR_ACCOUNT, OUR_OPERATION } from '../order-marks.ts'
import type { Order } from '../port.ts'
import { readCheckoutToken } from './token.ts'

/** The endpoint that carries out an order: `/payments` itself, or one of a payment. */
export type CheckoutEndpoint = 'payments' | 'captures' | 'voids' | 'refunds'

/** A void of a hold releases it; the money of a captured charge is returned in full. */
export function endpointOf({
  operation,
  parent,
}: Pick<Order, 'operation' | 'parent'>): CheckoutEndpoint {
  switch (operation) {
    case 'charge':
    case 'pre_auth':
      return 'payments'
    case 'capture':
      return 'captures'
    case 'refund':
      return 'refunds'
    case 'void':
      return parent?.operation === 'pre_auth' ? 'voids' : 'refunds'
  }
}

export function pathOf(order: Order, paymentId: string): string {
  const endpoint = endpointOf(order)
  return endpoint === 'payments' ? '/payments' : `/payments/${paymentId}/${endpoint}`
}

export function bodyOf(order: Order): object {
  switch (endpointOf(order)) {
    case 'payments':
      return paymentRequestOf(order)
    case 'captures':
      // The last capture of the hold: what it leaves is released.
      return { ...actionRequestOf(order), amount: Number(order.amount), capture_type: 'Final' }
    case 'refunds':
      return { ...actionRequestOf(order), amount: Number(order.amount) }
    case 'voids':
      return actionRequestOf(order)
  }
}

/** Releases the money that a declined charge still holds. Its events are about the charge. */
export function closingVoidOf(order: Order, paymentId: string) {
  const path = `/payments/${paymentId}/voids`
  return { path, body: actionRequestOf(order), idempotencyKey: `${order.key}:close` }
}

/** Our key is the reference, and the metadata distinguish our payments and actions. */
function actionRequestOf({ accountId, key, operation }: Order) {
  const metadata = { [OUR_ACCOUNT]: accountId, [OUR_OPERATION]: operation }
  return { reference: key, metadata }
}

function paymentRequestOf(order: Order) {
  return {
    ...paidWith(order),
    ...actionRequestOf(order),
    amount: Number(order.amount),
    capture: order.operation === 'charge',
  }
}

/** The payer is not there, and has agreed to it when the card was stored. */
function paidWith({ currency, token }: Order) {
  const { agreement, channel, source } = readCheckoutToken(token)
  return {
    source: { type: 'id', id: source },
    currency,
    processing_channel_id: channel,
    payment_type: 'Unscheduled',
    merchant_initiated: true,
    previous_payment_id: agreement,
  }
}

/**
 * It moves no money: a payment of nothing, which only verifies the card. Sent under an order's key,
 * it makes that key useless for the order.
 */
export function blockingPaymentOf(order: Order): object {
  return { ...paidWith(order), amount: 0, reference: blockingReferenceOf(order) }
}

export function blockingReferenceOf({ key }: Pick<Order, 'key'>): string {
  return `${key}:given-up`
}

/** Verifies the card that a token stands for, and stores it for payments without the payer. */
export function verificationOf(accountId: string, channel: string, token: string) {
  return {
    // By it the answer is known to be about this card. The token itself may be too long.
    reference: `card-${createHash('sha256').update(token).digest('hex').slice(0, 32)}`,
    source: { type: 'token', token, store_for_future_use: true },
    amount: 0,
    // A verification needs a currency, and moves nothing in it.
    currency: 'USD',
    processing_channel_id: channel,
    payment_type: 'Unscheduled',
    metadata: { [OUR_ACCOUNT]: accountId },
  }
}
