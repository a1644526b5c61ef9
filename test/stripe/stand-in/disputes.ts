// Disputes: a test opens and closes them; /v1/disputes reads them.

import type Stripe from 'stripe'
import { newId, type StripeAccount } from './account.ts'
import { move } from './balance.ts'
import { textOf } from './fields.ts'
import { listPage } from './lists.ts'
import { noSuch } from './refusals.ts'
import { PAGE_FIELDS, type StripeCall, type StripeRoute } from './routes.ts'

export interface DisputeInput {
  readonly reason?: string
  /** In cents; the whole charge by default. */
  readonly amount?: number
  /** A bank debit that the bank took back: there is nothing to contest. */
  readonly isLostAtOnce?: boolean
  /** A question of the bank, which takes no money yet. */
  readonly isWarning?: boolean
}

/** The outcome of a dispute. */
export type DisputeEnd = 'lost' | 'warning_closed' | 'won'

const DISPUTE_FEE_CENTS = 1500
const DAYS_TO_ANSWER = 20

export const DISPUTE_ROUTES: readonly StripeRoute[] = [
  {
    method: 'GET',
    path: '/v1/disputes',
    fields: ['charge', 'created', 'payment_intent', ...PAGE_FIELDS],
    run: list,
  },
  { method: 'GET', path: '/v1/disputes/:id', fields: [], run: read },
]

export function openDispute(
  account: StripeAccount,
  charge: Stripe.Charge,
  input: DisputeInput,
): Stripe.Dispute {
  const { reason = 'fraudulent', amount = charge.amount_captured } = input
  const { isLostAtOnce = false, isWarning = false } = input
  const opened = isWarning ? 'warning_needs_response' : 'needs_response'
  const dispute: Stripe.Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: account.clock.seconds(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {} as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: account.clock.seconds() + DAYS_TO_ANSWER * 24 * 60 * 60,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: isLostAtOnce ? 'lost' : opened,
  }
  account.disputes.set(dispute.id, dispute)
  charge.disputed = true
  account.emit('charge.dispute.created', dispute)
  if (isWarning) return dispute
  withdraw(account, dispute, -amount, DISPUTE_FEE_CENTS)
  account.emit('charge.dispute.funds_withdrawn', dispute)
  if (isLostAtOnce) account.emit('charge.dispute.closed', dispute)
  return dispute
}

/** A question of the bank becomes a dispute: the same object, which takes the money now. */
export function escalateDispute(account: StripeAccount, dispute: Stripe.Dispute): void {
  dispute.status = 'needs_response'
  withdraw(account, dispute, -dispute.amount, DISPUTE_FEE_CENTS)
  account.emit('charge.dispute.funds_withdrawn', dispute)
  account.emit('charge.dispute.updated', dispute)
}

export function closeDispute(
  account: StripeAccount,
  dispute: Stripe.Dispute,
  status: DisputeEnd,
): void {
  dispute.status = status
  if (status === 'won') {
    withdraw(account, dispute, dispute.amount, 0)
    account.emit('charge.dispute.funds_reinstated', dispute)
  }
  account.emit('charge.dispute.closed', dispute)
}

function withdraw(
  account: StripeAccount,
  dispute: Stripe.Dispute,
  amount: number,
  fee: number,
): void {
  const { currency, id } = dispute
  const moved = move(account, { type: 'adjustment', amount, fee, currency, source: id })
  const transaction = account.balanceTransactions.get(moved)
  if (transaction !== undefined) dispute.balance_transactions.push(transaction)
}

function list({ account, form }: StripeCall) {
  const charge = textOf(form, 'charge')
  const intent = textOf(form, 'payment_intent')
  const disputes = [...account.disputes.values()].filter(
    (one) =>
      (charge === undefined || one.charge === charge) &&
      (intent === undefined || one.payment_intent === intent),
  )
  return listPage('/v1/disputes', form, disputes)
}

function read({ account, id }: StripeCall): Stripe.Dispute {
  const dispute = account.disputes.get(id)
  if (dispute === undefined) throw noSuch('dispute', id)
  return dispute
}
