// The outcomes of confirming a PaymentIntent: a payment, a hold, a decline, a debit, or a question
// to the payer.

import type Stripe from 'stripe'
import type { StripeAccount } from './account.ts'
import { bookCharge, startCharge } from './charges.ts'
import { startDebit } from './debits.ts'
import { flagOf, groupOf, textOf } from './fields.ts'
import type { StripeForm } from './form.ts'
import { startHold } from './holds.ts'
import { unexpectedState } from './intents.ts'
import { attachTo } from './payment-methods.ts'
import { declined, invalid, refused, type StripeRefusal } from './refusals.ts'
import type { CardDecline } from './test-methods.ts'

export const CONFIRMATION_FIELDS = [
  'confirmation_token',
  'error_on_requires_action',
  'mandate_data',
  'off_session',
  'payment_method',
  'payment_method_options',
  'return_url',
  'setup_future_usage',
  'use_stripe_sdk',
] as const satisfies (keyof Stripe.PaymentIntentConfirmParams)[]

const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action']

const NEEDS_PAYER: CardDecline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

const PAYER_NOT_ASKED: CardDecline = {
  code: 'authentication_required',
  decline_code: 'authentication_not_handled',
  message:
    'This payment required an authentication action to complete, but `error_on_requires_action` was set.',
}

const PAYER_FAILED: CardDecline = {
  code: 'payment_intent_authentication_failure',
  message: 'The provided PaymentMethod has failed authentication.',
}

/** The checks of a confirmation that need no execution. */
export function refuseConfirmation(intent: Stripe.PaymentIntent, form: StripeForm): void {
  flagOf(form, 'off_session')
  flagOf(form, 'error_on_requires_action')
  const allowsRedirects = intent.automatic_payment_methods?.allow_redirects === 'always'
  if (allowsRedirects && textOf(form, 'return_url') === undefined) {
    throw invalid(
      'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`.',
    )
  }
}

/** Runs before any part of the request is applied. */
export function refuseState(intent: Stripe.PaymentIntent): void {
  if (!CONFIRMABLE.includes(intent.status)) throw unexpectedState(intent, 'confirmed')
}

/** Throws a decline, with the intent left open. */
export function confirmIntent(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  form: StripeForm,
): void {
  const method = account.paymentMethods.get(`${intent.payment_method}`)
  const traits = account.traits.get(`${intent.payment_method}`)
  if (method === undefined || traits === undefined) {
    const message = "You cannot confirm this PaymentIntent because it's missing a payment method."
    throw refused(message, { code: 'payment_intent_unexpected_state' })
  }
  if (traits.kind === 'bank') {
    startDebit(account, intent, {
      method,
      traits,
      // The page that makes a confirmation token asks for the payer's agreement.
      isMandated:
        groupOf(form, 'mandate_data') !== undefined ||
        textOf(form, 'confirmation_token') !== undefined,
    })
  } else if (traits.needsPayer && flagOf(form, 'off_session')) {
    throw failWithCharge(account, intent, method, NEEDS_PAYER)
  } else if (traits.needsPayer && flagOf(form, 'error_on_requires_action')) {
    throw fail(account, intent, method, PAYER_NOT_ASKED)
  } else if (traits.needsPayer) {
    askPayer(account, intent, textOf(form, 'return_url'))
  } else if (traits.decline !== undefined) {
    throw failWithCharge(account, intent, method, traits.decline)
  } else {
    chargeCard(account, intent, method)
  }
}

/** The payer's answer on the page of the bank. */
export function finishAuthentication(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  isAuthenticated: boolean,
): void {
  if (intent.status !== 'requires_action') throw new Error(`${intent.id} asks nothing of a payer`)
  const method = account.paymentMethods.get(`${intent.payment_method}`)
  if (method === undefined) throw new Error(`${intent.id} has no payment method`)
  intent.next_action = null
  if (isAuthenticated) chargeCard(account, intent, method)
  else fail(account, intent, method, PAYER_FAILED)
}

function chargeCard(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): void {
  const traits = account.traits.get(method.id)
  if (traits === undefined) throw new Error(`${method.id} was used up`)
  const charge = startCharge(account, intent, method, traits)
  charge.status = 'succeeded'
  charge.paid = true
  intent.last_payment_error = null
  keepMethod(account, intent, method)
  if (intent.capture_method === 'manual') {
    startHold(account, intent, charge)
    return
  }
  charge.captured = true
  charge.amount_captured = charge.amount
  intent.amount_received = intent.amount
  intent.status = 'succeeded'
  account.emit('charge.succeeded', charge)
  account.emit('payment_intent.succeeded', intent)
  bookCharge(account, charge)
}

/** Without a customer, a payment method can be used for one payment. */
function keepMethod(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): void {
  if (method.customer !== null) return
  const { customer } = intent
  const isKept = typeof customer === 'string' && intent.setup_future_usage !== null
  if (isKept) attachTo(account, method, customer)
  else account.traits.delete(method.id)
}

function askPayer(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  returnUrl: string | undefined,
): void {
  intent.status = 'requires_action'
  intent.next_action =
    returnUrl === undefined
      ? { type: 'use_stripe_sdk', use_stripe_sdk: {} }
      : {
          type: 'redirect_to_url',
          redirect_to_url: { return_url: returnUrl, url: `https://hooks.stripe.com/${intent.id}` },
        }
  account.emit('payment_intent.requires_action', intent)
}

function failWithCharge(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: CardDecline,
): StripeRefusal {
  const traits = account.traits.get(method.id)
  if (traits === undefined) throw new Error(`${method.id} was used up`)
  const charge = startCharge(account, intent, method, traits)
  charge.status = 'failed'
  charge.failure_code = decline.code ?? null
  charge.failure_message = decline.message ?? null
  account.emit('charge.failed', charge)
  return fail(account, intent, method, decline, charge)
}

function fail(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: CardDecline,
  charge?: Stripe.Charge,
): StripeRefusal {
  const error: Stripe.PaymentIntent.LastPaymentError = {
    ...decline,
    ...(charge && { charge: charge.id }),
    doc_url: `https://docs.stripe.com/error-codes/${decline.code}`,
    payment_method: structuredClone(method),
    type: 'card_error',
  }
  intent.last_payment_error = error
  intent.payment_method = null
  intent.status = 'requires_payment_method'
  account.emit('payment_intent.payment_failed', intent)
  return declined(error, structuredClone(intent))
}
