// POST /payments, and the views of a business's payments.

import { acceptAction, balancesOf } from './actions.ts'
import {
  announce,
  type Business,
  newCheckoutId,
  type StandInAction,
  type StandInPayment,
} from './business.ts'
import { type CheckoutCard, responseTo, summaryOf } from './cards.ts'
import { CheckoutRefusal, invalidRequest } from './refusals.ts'

export interface PaymentBody {
  readonly source?: {
    readonly type?: string
    readonly id?: string
    readonly token?: string
  }
  readonly amount?: number
  readonly currency?: string
  readonly capture?: boolean
  readonly reference?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly processing_channel_id?: string
}

const LONGEST_REFERENCE = 80

export function createPayment(business: Business, body: PaymentBody): object {
  const { amount = 0, capture = true, currency, metadata = {}, reference } = body
  if (!/^pc_\w+$/.test(body.processing_channel_id ?? '')) {
    throw invalidRequest('processing_channel_id_required')
  }
  if (!/^[A-Z]{3}$/.test(currency ?? '')) throw invalidRequest('currency_invalid')
  if (!Number.isInteger(amount) || amount < 0) throw invalidRequest('amount_invalid')
  if ((reference ?? '').length > LONGEST_REFERENCE) throw invalidRequest('reference_invalid')
  const [sourceId, card] = sourceOf(business, body)
  const now = business.clock.now().toISOString()
  const response = responseTo(card, amount)
  const isApproved = response === '10000'
  const goodStatus = amount === 0 ? 'Card Verified' : 'Authorized'
  const action: StandInAction = {
    id: newCheckoutId('act'),
    type: amount === 0 ? 'Card Verification' : 'Authorization',
    amount,
    reference,
    metadata,
    response_code: response,
    response_summary: summaryOf(response),
    approved: isApproved,
    processed_on: now,
    isListed: true,
  }
  const payment: StandInPayment = {
    id: newCheckoutId('pay'),
    requested_on: now,
    amount,
    currency: currency ?? '',
    reference,
    metadata,
    card,
    sourceId,
    status: isApproved ? goodStatus : 'Declined',
    actions: [action],
  }
  business.payments.set(payment.id, payment)
  announce(business, payment, action)
  const shown = {
    ...shownPayment(payment),
    action_id: action.id,
    processed_on: now,
    response_code: action.response_code,
    response_summary: action.response_summary,
  }
  const isCaptured = isApproved && amount > 0 && capture
  if (isCaptured) acceptAction(business, payment, 'Capture', { amount, reference, metadata })
  return shown
}

/** A token is used once, and its card is stored, unless it is already. */
function sourceOf(business: Business, { source }: PaymentBody): readonly [string, CheckoutCard] {
  if (source?.type === 'id') {
    const card = business.cardOfSource.get(source.id ?? '')
    if (card === undefined) throw invalidRequest('source_id_invalid')
    return [source.id ?? '', card]
  }
  const token = source?.token ?? ''
  const card = business.cardOfToken.get(token)
  if (card === undefined) throw invalidRequest('token_invalid')
  business.cardOfToken.delete(token)
  const id = storedIdOf(business, card) ?? newCheckoutId('src')
  business.cardOfSource.set(id, card)
  return [id, card]
}

/** A card is stored once for all merchants that bring it, which is the worst case for them. */
function storedIdOf({ cardOfSource }: Business, card: CheckoutCard): string | undefined {
  const nameOf = ({ expiryMonth, expiryYear, number }: CheckoutCard) =>
    [number, expiryMonth, expiryYear].join()
  return [...cardOfSource].find(([, stored]) => nameOf(stored) === nameOf(card))?.[0]
}

export function paymentNamed(business: Business, id: string): StandInPayment {
  const payment = business.payments.get(id)
  if (payment === undefined) throw new CheckoutRefusal(404)
  return payment
}

/** The payment without actions that are not decided yet. */
export function shownPayment(payment: StandInPayment): object {
  const { amount, card, currency, id, metadata, reference, requested_on, sourceId, status } =
    payment
  return {
    id,
    requested_on,
    amount,
    currency,
    reference,
    metadata,
    status,
    approved: payment.actions[0]?.approved,
    payment_type: 'Unscheduled',
    source: {
      id: sourceId,
      type: 'card',
      scheme: card.scheme,
      last4: card.number.slice(-4),
      bin: card.number.slice(0, 6),
      expiry_month: card.expiryMonth,
      expiry_year: card.expiryYear,
    },
  }
}

/** One payment, which is shown with its balances. */
export function detailedPayment(payment: StandInPayment): object {
  return { ...shownPayment(payment), balances: balancesOf(payment) }
}

/** The decided actions, the latest first, as Checkout.com lists them. */
export function shownActions({ actions }: StandInPayment): readonly object[] {
  return actions.filter(({ isListed }) => isListed).toReversed()
}
