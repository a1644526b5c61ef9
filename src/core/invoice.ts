// How payments change an invoice.
//
//   DRAFT ──sent──▶ SENT ──opened──▶ VIEWED
//     └───────────────┴────────────────┴──▶ PAID        a payment succeeded
//                     │                      │ voided: DRAFT, SENT or VIEWED again
//                     └──▶ ATTEMPTED ────────┘          a payment failed; a later one may succeed
//
//   Until it is paid, and while no payment is under way, it can be DELETED.
//
// A failed automatic payment is tried again on the days that the account's setting names, counted
// from the invoice's creation. After the last one the invoice stays ATTEMPTED.

import type { Cents } from './money.ts'
import { after, DAY, HOUR } from './time-units.ts'

export const INVOICE_STATUSES = [
  'DRAFT',
  'SENT',
  'VIEWED',
  'PAID',
  'PARTIALLY APPLIED',
  'ATTEMPTED',
  'VOID',
  'DELETED',
] as const

export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export interface Bill {
  readonly total: Cents
  readonly sentAt: Date | null
  readonly viewedAt: Date | null
  readonly createdAt: Date
  /** Automatic payments so far. */
  readonly tries: number
}

/** The facts that decide what can still be done to the invoice. */
interface InvoiceFacts {
  readonly status: InvoiceStatus
  /** The payment that is under way, or that has paid the invoice. */
  readonly paymentId: string | null
}

type Obstacle = 'invoice_already_paid' | 'payment_under_way'

/** The invoice after a payment. */
export interface InvoiceState {
  readonly status: InvoiceStatus
  readonly totalPaid: Cents
  readonly paidAt: Date | null
  readonly retryAt: Date | null
}

/** Why it cannot be paid. Undefined if it can. */
export function obstacleToPayment(invoice: InvoiceFacts): Obstacle | 'wrong_state' | undefined {
  const { status } = invoice
  return status === 'DELETED' || status === 'VOID' ? 'wrong_state' : obstacleToDeletion(invoice)
}

/** Why it cannot be deleted. Undefined if it can. */
export function obstacleToDeletion({ status, paymentId }: InvoiceFacts): Obstacle | undefined {
  if (status === 'PAID') return 'invoice_already_paid'
  return paymentId === null ? undefined : 'payment_under_way'
}

export function paid(bill: Bill, at: Date): InvoiceState {
  return { status: 'PAID', totalPaid: bill.total, paidAt: at, retryAt: null }
}

/**
 * `triedAt` is when the last automatic payment was made; null if nothing is tried again.
 */
export function attempted(
  bill: Bill,
  at: Date,
  retryDays: readonly number[],
  triedAt: Date | null,
): InvoiceState {
  const retryAt = triedAt && retryOf(bill, at, retryDays, triedAt)
  return { status: 'ATTEMPTED', totalPaid: 0n, paidAt: null, retryAt }
}

/**
 * The change when the invoice is opened for the first time. Undefined if it was opened before.
 */
export function viewed(
  { status, viewedAt }: { readonly status: InvoiceStatus; readonly viewedAt: Date | null },
  at: Date,
): { readonly status: InvoiceStatus; readonly viewedAt: Date } | undefined {
  const isOver = status === 'PAID' || status === 'VOID' || status === 'DELETED'
  if (isOver || viewedAt !== null) return undefined
  // A draft stays a draft: it was not sent yet, and the viewer may be the merchant.
  return { status: status === 'SENT' ? 'VIEWED' : status, viewedAt: at }
}

/**
 * The change when it is sent for the first time. Undefined if it was sent before.
 *
 * If the draft was opened, that was the merchant: the customer's first look is still to
 * come.
 */
export function sent(
  { status, sentAt, viewedAt }: Pick<Bill, 'sentAt' | 'viewedAt'> & InvoiceFacts,
  at: Date,
): (Pick<Bill, 'sentAt' | 'viewedAt'> & { readonly status: InvoiceStatus }) | undefined {
  if (sentAt !== null) return undefined
  return status === 'DRAFT'
    ? { status: 'SENT', sentAt: at, viewedAt: null }
    : { status, sentAt: at, viewedAt }
}

/** The invoice after its payment was voided. */
export function reopened(bill: Bill): InvoiceState {
  return { status: unpaidStatusOf(bill), totalPaid: 0n, paidAt: null, retryAt: null }
}

function unpaidStatusOf({ sentAt, viewedAt }: Bill): InvoiceStatus {
  // A draft may have been opened by its merchant.
  if (sentAt === null) return 'DRAFT'
  return viewedAt === null ? 'SENT' : 'VIEWED'
}

/** A try that is later than this moves the next one. */
const IN_TIME_MS = HOUR

/**
 * After a try that was late, or failed late, the days between the two tries are kept: the customer
 * is not charged twice at once. Others are counted from the creation, so that tries do not drift.
 */
function retryOf(
  { tries, createdAt }: Bill,
  at: Date,
  retryDays: readonly number[],
  triedAt: Date,
): Date | null {
  const days = tries > 0 ? retryDays[tries - 1] : undefined
  if (days === undefined) return null
  const daysBefore = retryDays[tries - 2] ?? 0
  const isLate = triedAt.getTime() - after(createdAt, daysBefore * DAY).getTime() > IN_TIME_MS
  const between = (days - daysBefore) * DAY
  const planned = isLate ? after(triedAt, between) : after(createdAt, days * DAY)
  return planned > at ? planned : after(at, between)
}
