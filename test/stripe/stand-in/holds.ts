// Holds on a card: captured once, in whole or in part, or released, or lapsed.

import type Stripe from 'stripe'
import type { StripeAccount } from './account.ts'
import { bookCharge, chargeOf } from './charges.ts'
import { refused } from './refusals.ts'

export function startHold(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge,
): void {
  const { holdsLastMs } = account.settings
  intent.amount_capturable = intent.amount
  intent.status = 'requires_capture'
  const card = charge.payment_method_details?.card
  if (card) card.capture_before = account.clock.seconds() + Math.floor(holdsLastMs / 1000)
  account.emit('charge.succeeded', charge)
  account.emit('payment_intent.amount_capturable_updated', intent)
  account.clock.after(holdsLastMs, () => {
    if (intent.status === 'requires_capture') lapse(account, intent)
  })
}

/** Only one capture is possible: the rest of the hold is released. */
export function captureHold(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  amount: number,
): void {
  if (amount > intent.amount_capturable) {
    const message = `No more than ${intent.amount_capturable} can be captured.`
    throw refused(message, { code: 'amount_too_large', param: 'amount_to_capture' })
  }
  const charge = chargeOf(account, intent)
  charge.captured = true
  charge.amount_captured = amount
  intent.amount_capturable = 0
  intent.amount_received = amount
  intent.status = 'succeeded'
  account.emit('charge.captured', charge)
  account.emit('payment_intent.succeeded', intent)
  bookCharge(account, charge)
}

/** Since 2025-03-31.basil its charge does not count as refunded, nor does the rest of a capture. */
export function releaseHold(intent: Stripe.PaymentIntent): void {
  intent.amount_capturable = 0
}

function lapse(account: StripeAccount, intent: Stripe.PaymentIntent): void {
  const charge = chargeOf(account, intent)
  releaseHold(intent)
  intent.status = 'canceled'
  intent.canceled_at = account.clock.seconds()
  intent.cancellation_reason = 'expired'
  account.emit('charge.expired', charge)
  account.emit('payment_intent.canceled', intent)
}
