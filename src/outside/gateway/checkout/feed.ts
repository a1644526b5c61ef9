// Checkout.com's news of payments after their end: disputes, and holds that ended. Disputes are
// listed by their last change, whether or not it sends events of them. Each is then read as it is
// now, with its payment, whose metadata say whether it is ours. Holds that ended are not listed:
// those that are old enough are asked about one by one.

import type { DisputeStatus } from '../../../core/dispute.ts'
import type { GatewayChange, GatewayDispute, GatewayHoldEnd, PaymentName } from '../feed-port.ts'
import { ourOrder } from '../order-marks.ts'
import { newCursors } from '../page-cursors.ts'
import { acceptedBody, askOrAlarm, type CheckoutNeeds, paymentOf, readNamed } from './records.ts'

/** The most that a list returns at once. */
const PAGE = 250

interface ListedDispute {
  readonly id: string
  readonly last_update: string
}

/** The fields that are used. */
interface CheckoutDispute {
  readonly id: string
  readonly status: string
  readonly category?: string
  readonly amount: number
  readonly currency: string
  readonly received_on: string
  readonly evidence_required_by?: string | null
  readonly payment?: { readonly id: string }
}

/**
 * Checkout.com lists the latest change first. A dispute that changes while its list is read moves
 * to the first page, and is in the next reading.
 */
export async function* changesAtCheckout(
  needs: CheckoutNeeds,
  since: Date,
): AsyncGenerator<GatewayChange> {
  const changedAt = new Map<string, Date>()
  for await (const page of pagesSince(needs, since)) {
    for (const { id, last_update: at } of page) {
      if (!changedAt.has(id)) changedAt.set(id, new Date(at))
    }
  }
  for (const [gatewayId, at] of [...changedAt].reverse()) {
    const read = () => disputeAtCheckout(needs, gatewayId)
    yield { kind: 'dispute', gatewayId, changedAt: at, read }
  }
}

async function* pagesSince(
  needs: CheckoutNeeds,
  since: Date,
): AsyncGenerator<readonly ListedDispute[]> {
  const check = newCursors()
  const from = encodeURIComponent(since.toISOString())
  for (let skip = 0; ; skip += PAGE) {
    const path = `/disputes?from=${from}&limit=${PAGE}&skip=${skip}`
    const reply = await askOrAlarm(needs, { method: 'GET', path })
    const { data } = acceptedBody<{ readonly data: readonly ListedDispute[] }>(reply)
    yield data
    const last = data[PAGE - 1]
    if (last === undefined) return
    // A dispute that changes meanwhile may be listed once more, but not at the end of a page.
    check(last.id)
  }
}

/** Undefined if it is not of a payment of ours, or takes no money, as one of a refund. */
export async function disputeAtCheckout(
  needs: CheckoutNeeds,
  gatewayId: string,
): Promise<GatewayDispute | undefined> {
  const dispute = await readNamed<CheckoutDispute>(needs, 'disputes', gatewayId)
  if (dispute?.payment === undefined || dispute.amount <= 0) return undefined
  const payment = await nameOf(needs, dispute.payment.id)
  if (payment === undefined) return undefined
  const { amount, category, currency, evidence_required_by: dueBy, received_on: openedAt } = dispute
  const status = STATUSES[dispute.status] ?? 'under_review'
  return {
    kind: 'dispute',
    payment,
    gatewayId,
    amount: BigInt(amount),
    currency,
    reason: category ?? 'general',
    status,
    respondBy: status === 'needs_response' && dueBy ? new Date(dueBy) : null,
    openedAt: new Date(openedAt),
  }
}

const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  accepted: 'lost',
  arbitration_lost: 'lost',
  arbitration_under_review: 'under_review',
  arbitration_won: 'won',
  // The bank has withdrawn it, and the money is the merchant's again.
  canceled: 'won',
  evidence_required: 'needs_response',
  evidence_under_review: 'under_review',
  expired: 'lost',
  lost: 'lost',
  // The payer had got the money back already.
  resolved: 'warning_closed',
  won: 'won',
}

/** Undefined if another service made it. */
async function nameOf(needs: CheckoutNeeds, gatewayId: string): Promise<PaymentName | undefined> {
  const payment = await paymentOf(needs, gatewayId)
  const order = ourOrder(payment?.metadata, payment?.reference)
  return order && { ...order, gatewayId }
}

/** A hold that was captured without us holds nothing either. With any other status it may last. */
const ENDED = /^(Canceled|Expired|Voided|(Partially )?(Captured|Refunded))$/

export async function holdEndAtCheckout(
  needs: CheckoutNeeds,
  payment: PaymentName,
): Promise<GatewayHoldEnd | undefined> {
  const found = await paymentOf(needs, payment.gatewayId)
  return ENDED.test(found?.status ?? '') ? { kind: 'hold_ended', payment } : undefined
}
