// Checkout.com's payments and actions, in the words of the port.

import type { Decline } from '../../../core/decline.ts'
import { after, DAY } from '../../../core/time-units.ts'
import { bookedAt } from '../order-marks.ts'
import type { AcceptedState, Order } from '../port.ts'
import type { CheckoutAction, CheckoutPayment, CheckoutRecord } from './records.ts'
import { declineOfResponse } from './refusals.ts'
import { endpointOf } from './requests.ts'

/** An authorization lasts no longer, and no action takes as long. */
const DECIDED_WITHIN_MS = 7 * DAY

function approved(gatewayId: string): AcceptedState {
  return { kind: 'approved', gatewayId, message: 'Approved' }
}

export function declined(
  gatewayId: string | null,
  message: string,
  decline: Decline,
): AcceptedState {
  return { kind: 'declined', gatewayId, message, decline }
}

export function refused(
  code: Decline['code'],
  message: string,
  gatewayCode: string | null = null,
): AcceptedState {
  return declined(null, message, { code, retry: 'never', gatewayCode })
}

/** Accepted by Checkout.com, which decides later. */
export function accepted(gatewayId: string): AcceptedState {
  return { kind: 'undecided', gatewayId }
}

/** At its deadline an accepted order is asked about for days more: it cannot be taken back. */
export function acceptedAtDeadline({ key }: Order, gatewayId: string): AcceptedState {
  const decidedBy = after(bookedAt(key), DECIDED_WITHIN_MS)
  return { kind: 'undecided', gatewayId, decidedBy }
}

function declinedBy(gatewayId: string, decided: CheckoutAction | CheckoutPayment): AcceptedState {
  const { response_code: code, response_summary: summary = 'Declined' } = decided
  return declined(gatewayId, summary, declineOfResponse(code))
}

/** Undefined if the answer to the request itself does not decide it. */
export function answerOfRequest(
  { operation }: Pick<Order, 'operation'>,
  payment: CheckoutPayment,
): AcceptedState | undefined {
  if (payment.status === 'Declined') return declinedBy(payment.id, payment)
  const isHeld = operation === 'pre_auth' && payment.status === 'Authorized'
  return isHeld ? approved(payment.id) : undefined
}

/**
 * A hold is made once it is authorized; the money of a charge must be captured as well. A charge
 * whose capture was declined still holds the money, so it is declined once that is released.
 */
export function answerOfRecord(
  order: Pick<Order, 'operation'>,
  { payment, actions }: CheckoutRecord,
): AcceptedState {
  const { id } = payment
  const authorization = actions.find(({ type }) => type === 'Authorization')
  if (authorization?.approved === false) return declinedBy(id, authorization)
  if (order.operation === 'pre_auth' && authorization?.approved === true) return approved(id)
  const capture = captureIn(actions)
  if (order.operation === 'charge' && capture !== undefined) {
    return isLeftOpen(order, { payment, actions }) ? accepted(id) : answerOfAction(id, capture)
  }
  const answer = answerOfRequest(order, payment)
  if (answer !== undefined) return answer
  if (!hasEnded(payment)) return accepted(id)
  const decline = { code: 'hold_ended', retry: 'never', gatewayCode: payment.status } as const
  return declined(id, 'The hold has ended', decline)
}

/** One that took the money counts before one that was declined. */
function captureIn(actions: readonly CheckoutAction[]): CheckoutAction | undefined {
  const captures = actions.filter(({ type }) => type === 'Capture')
  return captures.find(({ approved }) => approved !== false) ?? captures[0]
}

/** True for a charge whose capture was declined, and which could still be captured by hand. */
export function isLeftOpen(
  { operation }: Pick<Order, 'operation'>,
  { payment, actions }: CheckoutRecord,
): boolean {
  if (operation !== 'charge' || captureIn(actions)?.approved !== false) return false
  const isVoided = actions.some(({ approved, type }) => approved === true && type === 'Void')
  return !isVoided && !hasEnded(payment)
}

function hasEnded(payment: CheckoutPayment): boolean {
  return payment.status === 'Voided' || hasLapsed(payment)
}

/** It ended without an action. */
function hasLapsed({ status }: CheckoutPayment): boolean {
  return status === 'Canceled' || status === 'Expired'
}

export function answerOfAction(paymentId: string, action: CheckoutAction): AcceptedState {
  if (action.approved === undefined) return accepted(paymentId)
  return action.approved ? approved(paymentId) : declinedBy(paymentId, action)
}

/** What the listed actions leave to capture, to release or to refund, once they are decided. */
export function leftFor(order: Order, { actions, payment }: CheckoutRecord): number {
  const sumOf = (wanted: string) =>
    actions
      .filter(({ approved, type }) => approved === true && type === wanted)
      .reduce((sum, { amount }) => sum + amount, 0)
  if (hasLapsed(payment)) return 0
  const captured = sumOf('Capture')
  if (endpointOf(order) === 'refunds') return captured - sumOf('Refund')
  // A hold is captured once, or released once.
  return captured > 0 || sumOf('Void') > 0 ? 0 : payment.amount
}

const TYPES: Readonly<Record<ReturnType<typeof endpointOf>, string>> = {
  payments: 'Authorization',
  captures: 'Capture',
  voids: 'Void',
  refunds: 'Refund',
}

/** The action that a follow-up has become. */
export function actionOf(
  order: Order,
  actions: readonly CheckoutAction[],
): CheckoutAction | undefined {
  const wanted = TYPES[endpointOf(order)]
  return actions.find(({ reference, type }) => reference === order.key && type === wanted)
}
