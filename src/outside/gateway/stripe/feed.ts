// Stripe's news of payments after their end: disputes, refunds that fail, bank debits that are
// returned, payouts. Stripe lists its events whether or not it sends them to an endpoint. They only
// name the changed objects; each object is then read as it is now.

import type Stripe from 'stripe'
import type { DisputeStatus } from '../../../core/dispute.ts'
import type { ExtraKind } from '../../../core/payout.ts'
import type {
  GatewayChange,
  GatewayDispute,
  GatewayHoldEnd,
  GatewayNews,
  GatewayPayout,
  GatewayReversal,
  PaidExtra,
  PaidOut,
  PaymentName,
  PayoutPart,
} from '../feed-port.ts'
import { ourOrder } from '../order-marks.ts'
import { instantOf } from './answers.ts'
import { askInTime, named, type StripeNeeds } from './ask.ts'
import type { SendToStripe } from './client.ts'
import { pages, secondsOf } from './pages.ts'
import { readRefusal } from './refusals.ts'
import { OUR_KEY, REFUND_ID } from './requests.ts'

export const FEED_TYPES = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  // Accounts with an older API version get only the second for a refund that fails.
  'refund.failed',
  'charge.refund.updated',
  // Only a hold expires. One that is canceled at Stripe by a person is only in the second. A charge
  // does not say that its hold ended: since 2025-03-31.basil it does not count as refunded.
  'charge.expired',
  'payment_intent.canceled',
  'payout.paid',
  'payout.failed',
  // Only after this event Stripe lists the contents of a payout.
  'payout.reconciliation_completed',
] as const

type Read = (needs: StripeNeeds, place: string, id: string) => Promise<GatewayNews | undefined>

export async function* changesAtStripe(
  needs: StripeNeeds,
  place: string,
  since: Date,
): AsyncGenerator<GatewayChange> {
  const events = pages((params) =>
    askAt(needs, place, (stripe, options) =>
      stripe.events.list(
        { ...params, types: [...FEED_TYPES], created: { gte: secondsOf(since) } },
        options,
      ),
    ),
  )
  const changedAt = new Map<string, Date>()
  for await (const page of events) {
    for (const event of page) {
      // Stripe lists the newest first.
      const id = idOf(event)
      if (id !== undefined && !changedAt.has(id)) changedAt.set(id, instantOf(event.created))
    }
  }
  for (const [gatewayId, at] of [...changedAt].reverse()) {
    const [kind, read] = readerOf(gatewayId)
    yield { kind, gatewayId, changedAt: at, read: () => read(needs, place, gatewayId) }
  }
}

interface Changed {
  readonly id?: string
  readonly object: string
  readonly status?: string | null
  readonly capture_method?: string
  readonly payment_intent?: string | null
}

/**
 * The id of the object to read: for a charge, its payment. Most changes of refunds are no failure,
 * and a canceled payment held nothing unless it was to be captured later.
 */
function idOf({ data }: Stripe.Event): string | undefined {
  const { id, object, status, capture_method: capture, ...changed } = data.object as Changed
  if (object === 'charge') return changed.payment_intent ?? undefined
  const isNews = { refund: status === 'failed', payment_intent: capture === 'manual' }
  return isNews[object as keyof typeof isNews] === false ? undefined : id
}

function readerOf(id: string): readonly [kind: string, read: Read] {
  if (id.startsWith('po_')) return ['payout', readPayout]
  if (id.startsWith('pi_')) return ['hold_ended', readHoldEnd]
  return REFUND_ID.test(id) ? ['refund_failed', readRefund] : ['dispute', readDispute]
}

function askAt<A>(needs: StripeNeeds, place: string, send: SendToStripe<A>): Promise<A> {
  return askInTime(needs, { account: place === '' ? undefined : place }, send)
}

/**
 * Undefined if it is refused with one of these statuses, 404 if Stripe does not know the object:
 * asking again would not help.
 */
async function readAt<A>(
  needs: StripeNeeds,
  place: string,
  send: SendToStripe<A>,
  refusals: readonly number[] = [404],
): Promise<A | undefined> {
  try {
    return await askAt(needs, place, send)
  } catch (error) {
    if (refusals.includes(readRefusal(error)?.status ?? 0)) return undefined
    throw error
  }
}

export async function disputeAtStripe(
  needs: StripeNeeds,
  place: string,
  id: string,
): Promise<GatewayDispute | undefined> {
  const event = await readDispute(needs, place, id)
  return event?.kind === 'dispute' ? event : undefined
}

async function readDispute(
  needs: StripeNeeds,
  place: string,
  id: string,
): Promise<GatewayDispute | GatewayReversal | undefined> {
  const dispute = await readAt(needs, place, ({ disputes }, options) =>
    named(id, disputes.retrieve(id, { expand: ['charge'] }, options)),
  )
  if (dispute === undefined || typeof dispute.charge === 'string') return undefined
  const { charge, created, evidence_details: evidence } = dispute
  const payment = nameOf(charge.metadata, charge.payment_intent)
  if (payment === undefined) return undefined
  const common = {
    payment,
    gatewayId: id,
    amount: BigInt(dispute.amount),
    currency: dispute.currency.toUpperCase(),
    reason: dispute.reason,
  }
  const status = STATUSES[dispute.status] ?? 'under_review'
  if (charge.payment_method_details?.type === 'us_bank_account') {
    // A bank's return of a debit is final and cannot be contested.
    return status === 'lost' ? { ...common, kind: 'debit_returned' } : undefined
  }
  const isAsked = status === 'needs_response' || dispute.status === 'warning_needs_response'
  const dueBy = isAsked ? evidence.due_by : null
  const respondBy = dueBy === null ? null : instantOf(dueBy)
  return { ...common, kind: 'dispute', status, respondBy, openedAt: instantOf(created) }
}

const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  appeal_needs_response: 'needs_response',
  appeal_under_review: 'under_review',
  lost: 'lost',
  needs_response: 'needs_response',
  // The payer got the money back before a dispute was opened.
  prevented: 'warning_closed',
  under_review: 'under_review',
  warning_closed: 'warning_closed',
  warning_needs_response: 'warning',
  warning_under_review: 'warning',
  won: 'won',
}

/** A void of ours cancels a payment as well, and is recorded on its own. */
async function readHoldEnd(
  needs: StripeNeeds,
  place: string,
  id: string,
): Promise<GatewayHoldEnd | undefined> {
  const intent = await readAt(needs, place, ({ paymentIntents }, options) =>
    named(id, paymentIntents.retrieve(id, {}, options)),
  )
  const payment = intent && nameOf(intent.metadata, id)
  const isEnded = intent?.status === 'canceled'
  return isEnded && payment !== undefined ? { kind: 'hold_ended', payment } : undefined
}

/** Undefined if the refund has not failed. */
async function readRefund(
  needs: StripeNeeds,
  place: string,
  id: string,
): Promise<GatewayReversal | undefined> {
  const refund = await readAt(needs, place, ({ refunds }, options) =>
    named(id, refunds.retrieve(id, {}, options)),
  )
  const payment = refund && nameOf(refund.metadata, refund.id)
  if (payment === undefined || refund?.status !== 'failed') return undefined
  return {
    kind: 'refund_failed',
    payment,
    gatewayId: id,
    amount: BigInt(refund.amount),
    currency: refund.currency.toUpperCase(),
    reason: refund.failure_reason ?? 'unknown',
  }
}

/**
 * Undefined for a payout whose contents Stripe does not list: they are not known yet, or, if the
 * merchant made it by hand, never.
 */
async function readPayout(
  needs: StripeNeeds,
  place: string,
  id: string,
): Promise<GatewayPayout | undefined> {
  const payout = await readAt(needs, place, ({ payouts }, options) =>
    named(id, payouts.retrieve(id, {}, options)),
  )
  if (payout?.automatic !== true || payout.reconciliation_status !== 'completed') return undefined
  const { status, arrival_date: arrivesAt, currency } = payout
  if (status !== 'paid' && status !== 'failed') return undefined
  const amount = currency === 'usd' ? BigInt(payout.amount) : null
  const common = { kind: 'payout', gatewayId: id, arrivesAt: instantOf(arrivesAt), amount } as const
  return { ...common, status, reason: status === 'failed' ? payout.failure_code : null }
}

const NOTHING = { data: [], has_more: false }

export async function* partsOfPayout(
  needs: StripeNeeds,
  place: string,
  id: string,
): AsyncGenerator<PayoutPart> {
  const movements = pages(async (params) => {
    const listed = { ...params, payout: id, expand: ['data.source'] }
    const page = await readAt(
      needs,
      place,
      ({ balanceTransactions }, options) => balanceTransactions.list(listed, options),
      // 400: the contents of a failed payout that was made by hand are not known.
      [400, 404],
    )
    return page ?? NOTHING
  })
  for await (const page of movements) {
    yield {
      payments: page.flatMap(paymentsOf),
      extras: page.flatMap(extraOf),
      recovered: page.flatMap(({ source, type }) =>
        type === 'payout_failure' && typeof source === 'object' && source !== null
          ? [source.id]
          : [],
      ),
    }
  }
}

/** By Stripe's categories for accounting. Others, as of other services, are in no kind. */
const EXTRAS: ReadonlyMap<string, ExtraKind> = new Map([
  ['dispute', 'disputes'],
  ['dispute_reversal', 'disputes'],
  ['fee', 'fees'],
  ['network_cost', 'fees'],
  ['tax', 'fees'],
  ['refund_failure', 'failed_refunds'],
  ['other_adjustment', 'adjustments'],
])

function extraOf({ net, reporting_category }: Stripe.BalanceTransaction): readonly PaidExtra[] {
  const kind = EXTRAS.get(reporting_category)
  return kind === undefined ? [] : [{ kind, net: BigInt(net) }]
}

function paymentsOf({ amount, fee, source, type }: Stripe.BalanceTransaction): readonly PaidOut[] {
  if (typeof source !== 'object' || source === null) return []
  const payment = nameOfSource(type, source)
  return payment === undefined ? [] : [{ ...payment, amount: BigInt(amount), fee: BigInt(fee) }]
}

function nameOfSource(
  type: Stripe.BalanceTransaction.Type,
  source: Stripe.BalanceTransactionSource,
): PaymentName | undefined {
  switch (type) {
    case 'charge':
    case 'payment': {
      const { metadata, payment_intent: intent } = source as Stripe.Charge
      return nameOf(metadata, intent)
    }
    case 'refund':
    case 'payment_refund': {
      const { id, metadata } = source as Stripe.Refund
      return nameOf(metadata, id)
    }
    default:
      return undefined
  }
}

/** Undefined if another service made it. */
function nameOf(
  metadata: Stripe.Metadata | null,
  gatewayObject: string | { readonly id: string } | null,
): PaymentName | undefined {
  const order = ourOrder(metadata, metadata?.[OUR_KEY])
  if (gatewayObject === null || order === undefined) return undefined
  const gatewayId = typeof gatewayObject === 'string' ? gatewayObject : gatewayObject.id
  return { ...order, gatewayId }
}
