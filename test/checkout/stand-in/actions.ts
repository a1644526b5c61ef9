// Captures, voids and refunds: accepted at once if the payment's state allows them, and decided
// later.

import {
  type ActionType,
  announce,
  type Business,
  newCheckoutId,
  type StandInAction,
  type StandInPayment,
} from './business.ts'
import { summaryOf } from './cards.ts'
import { CheckoutRefusal, invalidRequest } from './refusals.ts'

export interface ActionBody {
  readonly amount?: number | undefined
  readonly reference?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

const FAILED = '20068'

export function acceptAction(
  business: Business,
  payment: StandInPayment,
  type: ActionType,
  body: ActionBody,
): object {
  const amount = body.amount ?? amountLeft(payment, type)
  if (!Number.isInteger(amount) || amount <= 0) throw invalidRequest('amount_invalid')
  refuseByState(payment, type, amount)
  const isFailing = business.failing.delete(type)
  const response = isFailing ? FAILED : '10000'
  const action: StandInAction = {
    id: newCheckoutId('act'),
    type,
    amount,
    reference: body.reference,
    metadata: body.metadata ?? {},
    response_code: response,
    response_summary: summaryOf(response),
    approved: undefined,
    processed_on: undefined,
    isListed: false,
  }
  payment.actions.push(action)
  business.clock.after(business.settings.actionsTakeMs, () => decide(business, payment, action))
  return { action_id: action.id, reference: body.reference }
}

/** Counts actions that are accepted and not decided yet. */
function sumOf({ actions }: StandInPayment, type: ActionType): number {
  return actions
    .filter((one) => one.type === type && one.approved !== false)
    .reduce((sum, { amount }) => sum + amount, 0)
}

function amountLeft(payment: StandInPayment, type: ActionType): number {
  return type === 'Refund' ? sumOf(payment, 'Capture') - sumOf(payment, 'Refund') : payment.amount
}

function refuseByState(payment: StandInPayment, type: ActionType, amount: number): void {
  if (payment.status === 'Expired') throw new CheckoutRefusal(403)
  const isHeld = payment.actions[0]?.approved === true && payment.amount > 0
  const captured = sumOf(payment, 'Capture')
  if (type !== 'Refund') {
    // A payment can be captured once.
    const isTaken = captured > 0 || sumOf(payment, 'Void') > 0
    if (!isHeld || isTaken || amount > payment.amount) throw new CheckoutRefusal(403)
    return
  }
  const isCaptured = payment.actions.some((one) => one.type === 'Capture' && one.approved === true)
  if (!isCaptured) throw new CheckoutRefusal(403)
  if (amount > captured - sumOf(payment, 'Refund')) {
    throw invalidRequest('refund_amount_exceeds_balance')
  }
}

function decide(business: Business, payment: StandInPayment, action: StandInAction): void {
  action.approved = action.response_code === '10000'
  action.processed_on = business.clock.now().toISOString()
  if (action.approved) payment.status = statusAfter(payment, action.type)
  business.clock.after(business.settings.listedAfterMs, () => {
    action.isListed = true
  })
  announce(business, payment, action)
}

/** Actions that are not decided yet are not in them: the documentation does not say. */
export function balancesOf({ actions, status }: StandInPayment): object {
  const sumOfApproved = (wanted: ActionType) =>
    actions
      .filter(({ approved, type }) => approved === true && type === wanted)
      .reduce((sum, one) => sum + one.amount, 0)
  const captured = sumOfApproved('Capture')
  const refunded = sumOfApproved('Refund')
  const voided = sumOfApproved('Void')
  const authorized = sumOfApproved('Authorization')
  // A capture is final: it releases what it leaves.
  const held = captured > 0 || voided > 0 || status === 'Expired' ? 0 : authorized
  return {
    total_authorized: authorized,
    total_voided: voided,
    available_to_void: held,
    total_captured: captured,
    available_to_capture: held,
    total_refunded: refunded,
    available_to_refund: captured - refunded,
  }
}

function statusAfter(payment: StandInPayment, type: ActionType): string {
  const isWhole = sumOf(payment, type) === payment.amount
  switch (type) {
    case 'Capture':
      return isWhole ? 'Captured' : 'Partially Captured'
    case 'Refund':
      return isWhole ? 'Refunded' : 'Partially Refunded'
    default:
      return 'Voided'
  }
}
