// /v1/charges: the attempts of PaymentIntents, and the money that each of them moved.

import type Stripe from 'stripe'
import { newId, type StripeAccount } from './account.ts'
import { move } from './balance.ts'
import { textOf } from './fields.ts'
import { listPage } from './lists.ts'
import { noSuch } from './refusals.ts'
import { PAGE_FIELDS, type StripeCall, type StripeRoute } from './routes.ts'
import type { MethodTraits } from './test-methods.ts'

export const CHARGE_ROUTES: readonly StripeRoute[] = [
  {
    method: 'GET',
    path: '/v1/charges',
    fields: ['created', 'customer', 'payment_intent', ...PAGE_FIELDS],
    run: list,
  },
  { method: 'GET', path: '/v1/charges/:id', fields: [], run: read },
]

/** An attempt that is neither captured nor failed yet; it becomes the intent's latest charge. */
export function startCharge(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  traits: MethodTraits,
): Stripe.Charge {
  const charge: Stripe.Charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: false,
    created: account.clock.seconds(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: null,
    paid: false,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(intent.amount, traits),
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'pending',
    transfer_data: null,
    transfer_group: null,
  }
  account.charges.set(charge.id, charge)
  intent.latest_charge = charge.id
  return charge
}

export function chargeOf(account: StripeAccount, intent: Stripe.PaymentIntent): Stripe.Charge {
  const charge = account.charges.get(`${intent.latest_charge}`)
  if (charge === undefined) throw new Error(`${intent.id} has no charge`)
  return charge
}

/** Captures are asynchronous: the balance transaction is written a moment later. */
export function bookCharge(account: StripeAccount, charge: Stripe.Charge): void {
  const isBank = charge.payment_method_details?.type === 'us_bank_account'
  const amount = charge.amount_captured
  account.clock.after(account.settings.balanceTransactionsAfterMs, () => {
    charge.balance_transaction = move(account, {
      type: isBank ? 'payment' : 'charge',
      amount,
      fee: isBank ? Math.min(500, Math.round((amount * 8) / 1000)) : cardFeeOf(amount),
      currency: charge.currency,
      source: charge.id,
    })
    account.emit('charge.updated', charge)
  })
}

/** The fee is 2.9 % and 30 cents, in whole cents. */
function cardFeeOf(amount: number): number {
  return Math.round((amount * 29) / 1000) + 30
}

function detailsOf(amount: number, traits: MethodTraits): Stripe.Charge.PaymentMethodDetails {
  if (traits.kind === 'bank') {
    const us_bank_account: Stripe.Charge.PaymentMethodDetails.UsBankAccount = {
      account_holder_type: 'individual',
      account_type: 'checking',
      bank_name: 'STRIPE TEST BANK',
      fingerprint: `bank${traits.lastFour}`,
      last4: traits.lastFour,
      payment_reference: null,
      routing_number: '110000000',
    }
    return { type: 'us_bank_account', us_bank_account }
  }
  const card: Stripe.Charge.PaymentMethodDetails.Card = {
    amount_authorized: amount,
    authorization_code: null,
    brand: traits.brand,
    checks: null,
    country: 'US',
    electronic_commerce_indicator: null,
    exp_month: 12,
    exp_year: 2034,
    fingerprint: `card${traits.lastFour}`,
    funding: 'credit',
    installments: null,
    last4: traits.lastFour,
    mandate: null,
    network: traits.brand,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  }
  return { type: 'card', card }
}

function list({ account, form }: StripeCall) {
  const intent = textOf(form, 'payment_intent')
  const customer = textOf(form, 'customer')
  const charges = [...account.charges.values()].filter(
    (one) =>
      (intent === undefined || one.payment_intent === intent) &&
      (customer === undefined || one.customer === customer),
  )
  return listPage('/v1/charges', form, charges)
}

function read({ account, id }: StripeCall): Stripe.Charge {
  const charge = account.charges.get(id)
  if (charge === undefined) throw noSuch('charge', id)
  return charge
}
