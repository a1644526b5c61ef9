// Stripe's payments and refunds, in the words of the port.

import type Stripe from 'stripe'
import type { Decline } from '../../../core/decline.ts'
import { after, DAY, MINUTE, SECOND } from '../../../core/time-units.ts'
import type { AcceptedState, Order } from '../port.ts'
import { declineOf } from './refusals.ts'

/** Bank debits are decided within this time. */
const DEBITS_TAKE_MS = 10 * DAY

/** A payer who has not answered the bank by then is not expected any more. */
const PAYERS_ANSWER_WITHIN_MS = 30 * MINUTE

const APPROVED = 'Approved'

/** `method` is that of the order. */
export function answerOfIntent(
  intent: Stripe.PaymentIntent,
  method: Order['method'],
): AcceptedState {
  const { id: gatewayId } = intent
  switch (intent.status) {
    case 'succeeded':
    case 'requires_capture':
      return { kind: 'approved', gatewayId, message: APPROVED }
    case 'processing':
      return { kind: 'undecided', gatewayId, decidedBy: decidedBy(intent.created) }
    case 'canceled':
      return declinedIntent(intent, reasonOfCancellation(intent, method))
    case 'requires_payment_method':
      // Without an error it was created, but not confirmed yet.
      return intent.last_payment_error === null
        ? { kind: 'undecided', gatewayId }
        : declinedIntent(intent, canceledThere())
    case 'requires_action':
      // A look-up ends it.
      if (needsSmallDeposits(intent)) return { kind: 'undecided', gatewayId }
      return { kind: 'undecided', gatewayId, payerAnswersBy: payerAnswersBy(intent.created) }
    default:
      // It waits for a step of Stripe.
      return { kind: 'undecided', gatewayId }
  }
}

function declinedIntent(
  { id: gatewayId, last_payment_error: error }: Stripe.PaymentIntent,
  otherwise: Reason,
): AcceptedState {
  if (error === null) return { kind: 'declined', gatewayId, ...otherwise }
  const { advice_code: adviceCode, code, decline_code: declineCode } = error
  const decline = declineOf({ adviceCode, code, declineCode })
  return { kind: 'declined', gatewayId, message: error.message ?? 'Declined', decline }
}

interface Reason {
  readonly message: string
  readonly decline: Decline
}

function reasonOfCancellation(
  { cancellation_reason: reason, capture_method: capture }: Stripe.PaymentIntent,
  method: Order['method'],
): Reason {
  if (reason === UNANSWERED) return unansweredByPayer(method)
  // A hold lapsed or was released.
  return capture === 'manual' ? reasonOf('hold_ended', 'The hold has ended') : canceledThere()
}

/** By a person in Stripe's dashboard, as a bank debit can be for some hours. */
function canceledThere(): Reason {
  return reasonOf('canceled', 'The payment was canceled at the gateway')
}

/** The reason with which we cancel a payment that waited for its payer too long. */
export const UNANSWERED = 'abandoned'

/** A bank account asks its payer for one thing only: the amounts of small deposits. */
export function unansweredByPayer(method: Order['method']): Reason {
  if (method === 'card') {
    return reasonOf('authentication_required', 'The payer did not confirm the payment in time')
  }
  const words = 'The bank account is not verified, which would take days by small deposits'
  return reasonOf('bank_account_unusable', words, SMALL_DEPOSITS)
}

const SMALL_DEPOSITS = 'verify_with_microdeposits'

/** Stripe sends cents to the account, and waits up to ten days for the payer to name them. */
export function needsSmallDeposits(intent: Stripe.PaymentIntent): boolean {
  return intent.status === 'requires_action' && intent.next_action?.type === SMALL_DEPOSITS
}

export function reasonOf(
  code: Decline['code'],
  message: string,
  gatewayCode: string | null = null,
  retry: Decline['retry'] = 'never',
): Reason {
  return { message, decline: { code, retry, gatewayCode } }
}

export function answerOfRefund({
  id: gatewayId,
  created,
  ...refund
}: Stripe.Refund): AcceptedState {
  switch (refund.status) {
    case 'succeeded':
      return { kind: 'approved', gatewayId, message: APPROVED }
    case 'failed':
    case 'canceled': {
      const gatewayCode = refund.failure_reason ?? refund.status
      const reason = reasonOf('processing_error', 'The refund could not be paid', gatewayCode)
      return { kind: 'declined', gatewayId, ...reason }
    }
    default:
      // It waits until the balance covers it, or for the payer's bank details.
      return { kind: 'undecided', gatewayId, decidedBy: decidedBy(created) }
  }
}

function decidedBy(createdSeconds: number): Date {
  return after(instantOf(createdSeconds), DEBITS_TAKE_MS)
}

function payerAnswersBy(createdSeconds: number): Date {
  return after(instantOf(createdSeconds), PAYERS_ANSWER_WITHIN_MS)
}

export function instantOf(seconds: number): Date {
  return new Date(seconds * SECOND)
}
