// Stripe's payments and refunds, in the words of the port.

import type Stripe from 'stripe'
import type { Decline } from '../../../core/decline.ts'
import { after, DAY, MINUTE } from '../../../core/time-units.ts'
import type { AcceptedState } from '../port.ts'
import { declineOf } from './refusals.ts'

/** Bank debits are decided within this time. */
const DEBITS_TAKE_MS = 10 * DAY

/** A payer who has not answered the bank by then is not expected any more. */
const PAYERS_ANSWER_WITHIN_MS = 30 * MINUTE

const APPROVED = 'Approved'

export function answerOfIntent(intent: Stripe.PaymentIntent): AcceptedState {
  const { id: gatewayId } = intent
  switch (intent.status) {
    case 'succeeded':
    case 'requires_capture':
      return { kind: 'approved', gatewayId, message: APPROVED }
    case 'processing':
      return { kind: 'undecided', gatewayId, decidedBy: decidedBy(intent.created) }
    case 'canceled':
      return declinedIntent(
        intent,
        intent.cancellation_reason === UNANSWERED ? unansweredByPayer() : endedHold(),
      )
    case 'requires_payment_method':
      // Without an error it was created, but not confirmed yet.
      return intent.last_payment_error === null
        ? { kind: 'undecided', gatewayId }
        : declinedIntent(intent, endedHold())
    case 'requires_action':
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

/** A hold that lapsed or was released, or a payment that was canceled at Stripe. */
function endedHold(): Reason {
  return reasonOf('hold_ended', 'The hold has ended')
}

/** The reason with which we cancel a payment that waited for its payer too long. */
export const UNANSWERED = 'abandoned'

export function unansweredByPayer(): Reason {
  return reasonOf('authentication_required', 'The payer did not confirm the payment in time')
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
  return after(new Date(createdSeconds * 1000), DEBITS_TAKE_MS)
}

function payerAnswersBy(createdSeconds: number): Date {
  return after(new Date(createdSeconds * 1000), PAYERS_ANSWER_WITHIN_MS)
}
