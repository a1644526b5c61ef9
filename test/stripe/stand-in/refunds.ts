// /v1/refunds: partial ones add up to the captured amount at most.

import type Stripe from 'stripe'
import { balanceOf, newId, type StripeAccount } from './account.ts'
import { move } from './balance.ts'
import { chargeOf } from './charges.ts'
import { amountOf, choiceOf, metadataOf, textOf } from './fields.ts'
import { intentOf } from './intents.ts'
import { listPage } from './lists.ts'
import { invalid, noSuch, refused } from './refusals.ts'
import { PAGE_FIELDS, type StripeCall, type StripeRoute } from './routes.ts'

const FIELDS = [
  'amount',
  'charge',
  'metadata',
  'payment_intent',
  'reason',
] as const satisfies (keyof Stripe.RefundCreateParams)[]

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

export const REFUND_ROUTES: readonly StripeRoute[] = [
  { method: 'POST', path: '/v1/refunds', fields: FIELDS, run: create },
  {
    method: 'GET',
    path: '/v1/refunds',
    fields: ['charge', 'created', 'payment_intent', ...PAGE_FIELDS],
    run: list,
  },
  { method: 'GET', path: '/v1/refunds/:id', fields: [], run: read },
]

/** Pays the refunds that were waiting for money, in the order of their creation. */
export function payPendingRefunds(account: StripeAccount): void {
  for (const refund of account.refunds.values()) {
    if (refund.status === 'pending' && balanceOf(account) >= refund.amount) {
      pay(account, refund)
      account.emit('refund.updated', refund)
    }
  }
}

/** The money could not be returned, although this may have been reported. */
export function failRefund(account: StripeAccount, refund: Stripe.Refund, reason: string): void {
  if (refund.status === 'succeeded') {
    refund.failure_balance_transaction = move(account, {
      type: 'refund_failure',
      amount: refund.amount,
      currency: refund.currency,
      source: refund.id,
    })
  }
  refund.status = 'failed'
  refund.failure_reason = reason
  delete refund.pending_reason
  const charge = account.charges.get(`${refund.charge}`)
  if (charge !== undefined) {
    charge.amount_refunded -= refund.amount
    charge.refunded = false
  }
  account.emit('refund.failed', refund)
}

function create({ account, form }: StripeCall): Stripe.Refund {
  const asked = amountOf(form, 'amount')
  const reason = choiceOf(form, 'reason', REASONS) ?? null
  const metadata = metadataOf(form)
  const charge = chargeToRefund(account, form)
  const left = charge.amount_captured - refundedOf(account, charge)
  if (left === 0) {
    const message = `Charge ${charge.id} has already been refunded.`
    throw refused(message, { code: 'charge_already_refunded' })
  }
  const amount = asked ?? left
  if (amount > left) {
    const message = `Refund amount (${amount}) is greater than the unrefunded amount (${left})`
    throw refused(message, { param: 'amount' })
  }
  if (account.settings.refusesPoorRefunds && balanceOf(account) < amount) {
    const message_code = 'insufficient_balance_for_refund'
    const message = 'Insufficient funds in your Stripe balance to refund this amount.'
    throw refused(message, { message_code })
  }
  const refund: Stripe.Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: account.clock.seconds(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'pending',
    transfer_reversal: null,
  }
  return keep(account, charge, refund)
}

function keep(account: StripeAccount, charge: Stripe.Charge, refund: Stripe.Refund): Stripe.Refund {
  account.refunds.set(refund.id, refund)
  const key = account.request?.idempotency_key
  if (key) account.keyOf.set(refund.id, key)
  charge.amount_refunded += refund.amount
  charge.refunded = charge.amount_refunded === charge.amount_captured
  if (balanceOf(account) >= refund.amount) pay(account, refund)
  else refund.pending_reason = 'insufficient_funds'
  account.emit('refund.created', refund)
  account.emit('charge.refunded', charge)
  return refund
}

function pay(account: StripeAccount, refund: Stripe.Refund): void {
  const { amount, currency, id } = refund
  refund.balance_transaction = move(account, {
    type: 'refund',
    amount: -amount,
    currency,
    source: id,
  })
  refund.status = 'succeeded'
  delete refund.pending_reason
}

function chargeToRefund(account: StripeAccount, form: StripeCall['form']): Stripe.Charge {
  const intentId = textOf(form, 'payment_intent')
  const chargeId = textOf(form, 'charge')
  if (intentId === undefined && chargeId === undefined) {
    throw invalid('One of the following params should be provided: payment_intent, charge.')
  }
  const charge =
    intentId === undefined
      ? account.charges.get(`${chargeId}`)
      : chargeIfAny(account, intentOf(account, intentId, 'payment_intent'))
  if (charge === undefined) {
    if (intentId === undefined) throw noSuch('charge', `${chargeId}`, 'charge')
    throw refused(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`)
  }
  if (!charge.captured) {
    throw refused('This charge has not been captured: cancel its PaymentIntent instead.')
  }
  if (charge.disputed) {
    const code = intentId === undefined ? 'charge_disputed' : 'refund_disputed_payment'
    throw refused(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code })
  }
  return charge
}

function chargeIfAny(account: StripeAccount, intent: Stripe.PaymentIntent) {
  return intent.latest_charge === null ? undefined : chargeOf(account, intent)
}

/** Failed and canceled ones returned nothing. */
function refundedOf(account: StripeAccount, charge: Stripe.Charge): number {
  return [...account.refunds.values()]
    .filter((one) => one.charge === charge.id)
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .reduce((sum, { amount }) => sum + amount, 0)
}

function list({ account, form }: StripeCall) {
  const intent = textOf(form, 'payment_intent')
  const charge = textOf(form, 'charge')
  const refunds = [...account.refunds.values()].filter(
    (one) =>
      (intent === undefined || one.payment_intent === intent) &&
      (charge === undefined || one.charge === charge),
  )
  return listPage('/v1/refunds', form, refunds)
}

function read({ account, id }: StripeCall): Stripe.Refund {
  const refund = account.refunds.get(id)
  if (refund === undefined) throw noSuch('refund', id)
  return refund
}
