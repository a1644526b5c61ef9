// Disputes: a test opens and changes them; /disputes lists them by their last change.

import { type Business, newCheckoutId, type StandInPayment } from './business.ts'
import { CheckoutRefusal, invalidRequest } from './refusals.ts'

export interface StandInDispute {
  readonly id: string
  readonly payment: StandInPayment
  readonly amount: number
  readonly category: string
  readonly received_on: string
  status: DisputeState
  last_update: string
}

export type DisputeState =
  | 'accepted'
  | 'arbitration_lost'
  | 'arbitration_under_review'
  | 'arbitration_won'
  | 'canceled'
  | 'evidence_required'
  | 'evidence_under_review'
  | 'expired'
  | 'lost'
  | 'resolved'
  | 'won'

export interface DisputeInput {
  /** In cents; the whole payment by default. */
  readonly amount?: number
  readonly category?: string
}

const DAYS_TO_ANSWER = 20
const DAY_MS = 24 * 60 * 60 * 1000
const MOST = 250

export function openDispute(
  business: Business,
  payment: StandInPayment,
  { amount = payment.amount, category = 'fraudulent' }: DisputeInput,
): string {
  const now = business.clock.now().toISOString()
  const dispute: StandInDispute = {
    id: newCheckoutId('dsp').slice(0, 26),
    payment,
    amount,
    category,
    received_on: now,
    status: 'evidence_required',
    last_update: now,
  }
  business.disputes.set(dispute.id, dispute)
  announceDispute(business, dispute)
  return dispute.id
}

export function changeDispute(business: Business, id: string, status: DisputeState): void {
  const dispute = disputeNamed(business, id)
  dispute.status = status
  dispute.last_update = business.clock.now().toISOString()
  announceDispute(business, dispute)
}

function disputeNamed({ disputes }: Business, id: string): StandInDispute {
  const dispute = disputes.get(id)
  if (dispute === undefined) throw new CheckoutRefusal(404)
  return dispute
}

export function listedDisputes({ disputes }: Business, query: URLSearchParams): object {
  const [limit, skip] = [Number(query.get('limit') ?? 50), Number(query.get('skip') ?? 0)]
  if (!(limit >= 1 && limit <= MOST && skip >= 0)) throw invalidRequest('paging_limit_invalid')
  const from = new Date(query.get('from') ?? 0).toISOString()
  const found = [...disputes.values()]
    .filter(({ last_update: at }) => at >= from)
    .toSorted((a, b) => b.last_update.localeCompare(a.last_update))
  const data = found.slice(skip, skip + limit).map((one) => ({
    ...common(one),
    payment_id: one.payment.id,
    payment_reference: one.payment.reference,
    payment_method: one.payment.card.scheme,
  }))
  return { limit, skip, total_count: found.length, data }
}

export function shownDispute(business: Business, id: string): object {
  const dispute = disputeNamed(business, id)
  const { amount, card, currency, id: paymentId, requested_on: processed_on } = dispute.payment
  const payment = { id: paymentId, amount, currency, method: card.scheme, processed_on }
  return { ...common(dispute), payment }
}

function common(dispute: StandInDispute): object {
  const { amount, category, id, last_update, payment, received_on, status } = dispute
  const dueBy = new Date(Date.parse(received_on) + DAYS_TO_ANSWER * DAY_MS).toISOString()
  const isAsked = status === 'evidence_required'
  const evidence = isAsked ? { evidence_required_by: dueBy } : {}
  const { currency } = payment
  return { id, category, amount, currency, status, received_on, last_update, ...evidence }
}

function announceDispute({ clock, take }: Business, dispute: StandInDispute): void {
  const { amount, category, id, payment, status } = dispute
  const { currency, id: payment_id, reference: payment_reference } = payment
  const date = clock.now().toISOString()
  const data = { id, date, category, amount, currency, payment_id, payment_reference }
  take({ id: newCheckoutId('evt'), type: `dispute_${status}`, created_on: date, data })
}
