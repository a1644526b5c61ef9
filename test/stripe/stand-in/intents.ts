// A PaymentIntent before it is charged: made, found and given a payment method.

import type Stripe from 'stripe'
import { newId, type StripeAccount } from './account.ts'
import { tokenFor } from './confirmation-tokens.ts'
import { customerOf } from './customers.ts'
import { amountOf, choiceOf, flagOf, groupOf, listOf, metadataOf, textOf } from './fields.ts'
import type { StripeForm } from './form.ts'
import { makePaymentMethod, paymentMethodOf } from './payment-methods.ts'
import { invalid, missing, noSuch, refused } from './refusals.ts'

const LEAST_CENTS = 50
const MOST_CENTS = 99_999_999

export function intentOf(account: StripeAccount, id: string, param?: string) {
  const intent = account.paymentIntents.get(id)
  if (intent === undefined) throw noSuch('payment_intent', id, param)
  return intent
}

/** It is not in the account yet: nothing is left behind if the rest of the request is refused. */
export function draftIntent(account: StripeAccount, form: StripeForm): Stripe.PaymentIntent {
  const amount = amountOf(form, 'amount')
  if (amount === undefined) throw missing('amount')
  const currency = textOf(form, 'currency')?.toLowerCase()
  if (currency === undefined) throw missing('currency')
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency}`)
  refuseAmount(amount)
  const customer = textOf(form, 'customer')
  const types = listOf(form, 'allowed_payment_method_types')
  const id = newId('pi')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: types.length > 0 ? [...types] : null,
    amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: types.length > 0 ? null : automaticMethodsOf(form),
    canceled_at: null,
    cancellation_reason: null,
    capture_method:
      choiceOf(form, 'capture_method', ['automatic', 'automatic_async', 'manual']) ??
      'automatic_async',
    client_secret: newId(`${id}_secret`),
    confirmation_method: 'automatic',
    created: account.clock.seconds(),
    currency,
    customer: customer === undefined ? null : customerOf(account, customer, 'customer').id,
    customer_account: null,
    description: textOf(form, 'description') ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: metadataOf(form),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: types.length > 0 ? [...types] : ['card', 'us_bank_account'],
    payment_record: null,
    processing: null,
    receipt_email: textOf(form, 'receipt_email') ?? null,
    review: null,
    setup_future_usage: choiceOf(form, 'setup_future_usage', ['off_session', 'on_session']) ?? null,
    shipping: null,
    source: null,
    statement_descriptor: textOf(form, 'statement_descriptor') ?? null,
    statement_descriptor_suffix: textOf(form, 'statement_descriptor_suffix') ?? null,
    status: 'requires_payment_method',
    transfer_group: textOf(form, 'transfer_group') ?? null,
  }
}

/** Takes `payment_method` or `confirmation_token` of a request, if there is one. */
export function takeMethod(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  form: StripeForm,
): void {
  const id = textOf(form, 'payment_method')
  const tokenId = textOf(form, 'confirmation_token')
  if (tokenId !== undefined) {
    const { traits, token } = tokenFor(account, tokenId, intent.id)
    intent.payment_method = makePaymentMethod(account, traits).id
    intent.setup_future_usage ??= token.setup_future_usage
  } else if (id !== undefined) {
    const method = paymentMethodOf(account, id, 'payment_method')
    refuseMethod(account, intent, method)
    intent.payment_method = method.id
  }
  if (intent.payment_method !== null && intent.status === 'requires_payment_method') {
    intent.status = 'requires_confirmation'
  }
}

/** Refuses a request that the intent's status does not allow. */
export function unexpectedState(intent: Stripe.PaymentIntent, action: string) {
  const message = `This PaymentIntent cannot be ${action}: it has a status of ${intent.status}.`
  const payment_intent = structuredClone(intent)
  return refused(message, { code: 'payment_intent_unexpected_state', payment_intent })
}

function refuseMethod(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): void {
  if (!account.traits.has(method.id)) {
    throw refused(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment or was detached from a Customer. It may not be used again.',
    )
  }
  if (method.customer !== null && intent.customer === null) {
    throw refused(
      'The payment method you provided is attached to a customer so for security purposes you must provide the customer in the request.',
      { param: 'payment_method' },
    )
  }
  if (method.customer !== null && method.customer !== intent.customer) {
    const message = `The customer does not have a payment method with the ID ${method.id}.`
    throw refused(message, { param: 'payment_method' })
  }
  if (!intent.payment_method_types.includes(method.type)) {
    const message = `A PaymentMethod of type ${method.type} is not allowed here.`
    throw refused(message, { param: 'payment_method' })
  }
}

function refuseAmount(amount: number): void {
  if (amount < LEAST_CENTS) {
    const message = 'Amount must be at least $0.50 usd'
    throw invalid(message, { code: 'amount_too_small', param: 'amount' })
  }
  if (amount > MOST_CENTS) {
    const message = 'Amount must be no more than $999,999.99'
    throw invalid(message, { code: 'amount_too_large', param: 'amount' })
  }
}

/** If the request names no payment methods, those of the Dashboard apply. */
function automaticMethodsOf(form: StripeForm): Stripe.PaymentIntent.AutomaticPaymentMethods | null {
  const group = groupOf(form, 'automatic_payment_methods')
  if (group !== undefined && !flagOf(group, 'enabled')) return null
  const allow_redirects =
    choiceOf(group ?? {}, 'allow_redirects', ['always', 'never']) ?? ('always' as const)
  return { allow_redirects, enabled: true }
}
