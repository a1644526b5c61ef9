// Bank debits: they are processing for days, and then succeed, fail or are disputed.

import type Stripe from 'stripe'
import type { StripeAccount } from './account.ts'
import { bookCharge, chargeOf, startCharge } from './charges.ts'
import { openDispute } from './disputes.ts'
import { refused } from './refusals.ts'
import type { DebitOutcome, MethodTraits } from './test-methods.ts'

export interface Debit {
  readonly method: Stripe.PaymentMethod
  readonly traits: Extract<MethodTraits, { kind: 'bank' }>
  /** The payer accepted the debit with this request. */
  readonly isMandated: boolean
}

export function startDebit(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  { method, traits, isMandated }: Debit,
): void {
  if (intent.capture_method === 'manual') {
    throw refused('The payment method type us_bank_account does not support manual capture.')
  }
  if (!isMandated && !account.mandates.has(method.id)) {
    // The intent stays in `requires_confirmation`.
    const message = 'This PaymentIntent requires a mandate, but no mandate_data was given.'
    throw refused(message, { code: 'payment_intent_mandate_invalid' })
  }
  account.mandates.add(method.id)
  if (traits.isUnverified) {
    askForDeposits(account, intent)
    return
  }
  const charge = startCharge(account, intent, method, traits)
  intent.status = 'processing'
  account.emit('charge.pending', charge)
  account.emit('payment_intent.processing', intent)
  if (traits.debit === 'stays processing') return
  account.clock.after(account.settings.bankDebitsTakeMs, () => {
    if (intent.status === 'processing') endDebit(account, intent, traits.debit)
  })
}

/**
 * What Stripe does if only an instant verification is asked for is not documented: this does the
 * same as by default.
 */
function askForDeposits(account: StripeAccount, intent: Stripe.PaymentIntent): void {
  intent.status = 'requires_action'
  intent.next_action = {
    type: 'verify_with_microdeposits',
    verify_with_microdeposits: {
      arrival_date: account.clock.seconds() + 24 * 60 * 60,
      hosted_verification_url: `https://payments.stripe.com/microdeposit/${intent.id}`,
      microdeposit_type: 'descriptor_code',
    },
  }
  account.emit('payment_intent.requires_action', intent)
}

/** The debit is canceled while it is processing. */
export function abandonDebit(account: StripeAccount, intent: Stripe.PaymentIntent): void {
  chargeOf(account, intent).status = 'failed'
}

function endDebit(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  outcome: DebitOutcome,
): void {
  const charge = chargeOf(account, intent)
  if (typeof outcome === 'object') {
    failDebit(account, intent, charge, outcome.failureCode)
    return
  }
  charge.status = 'succeeded'
  charge.paid = true
  charge.captured = true
  charge.amount_captured = charge.amount
  intent.amount_received = intent.amount
  intent.status = 'succeeded'
  account.emit('charge.succeeded', charge)
  account.emit('payment_intent.succeeded', intent)
  bookCharge(account, charge)
  if (outcome === 'is disputed') {
    openDispute(account, charge, { reason: 'incorrect_account_details', isLostAtOnce: true })
  }
}

function failDebit(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge,
  failureCode: string,
): void {
  const message = `The bank returned the debit: ${failureCode}.`
  const method = account.paymentMethods.get(`${charge.payment_method}`)
  charge.status = 'failed'
  charge.failure_code = failureCode
  charge.failure_message = message
  intent.status = 'requires_payment_method'
  intent.payment_method = null
  intent.last_payment_error = {
    charge: charge.id,
    code: failureCode,
    message,
    ...(method && { payment_method: structuredClone(method) }),
    type: 'invalid_request_error',
  }
  account.emit('charge.failed', charge)
  account.emit('payment_intent.payment_failed', intent)
}
