// The life of an invoice, as far as payments decide it.
//
//   DRAFT ──sent──▶ SENT ──opened──▶ VIEWED
//     └───────────────┴────────────────┴──▶ PAID        a payment succeeded
//                     │                      │ voided: as it was before
//                     └──▶ ATTEMPTED ────────┘          a payment failed; a later one may not
//
//   Until it is paid, and while no payment is under way, it can be DELETED.
//
// What pays it by itself is tried again by the account's plan: so many days after the invoice was
// made, each. At the end of the plan the invoice stays ATTEMPTED.

import type { Cents } from './money.ts'
import { after, DAY } from './time-units.ts'

export type InvoiceStatus =
  | 'DRAFT'
  | 'SENT'
  | 'VIEWED'
  | 'PAID'
  | 'PARTIALLY APPLIED'
  | 'ATTEMPTED'
  | 'VOID'
  | 'DELETED'

export interface Bill {
  readonly total: Cents
  readonly sentAt: Date | null
  readonly viewedAt: Date | null
  readonly createdAt: Date
  /** Automatic payments so far. */
  readonly tries: number
}

/** What decides whether anything may still be done to it. */
interface InvoiceFacts {
  readonly status: InvoiceStatus
  /** The payment that is under way, or that has paid it. */
  readonly paymentId: string | null
}

type Obstacle = 'invoice_already_paid' | 'payment_under_way'

/** What a payment makes of it. */
export interface Settled {
  readonly status: InvoiceStatus
  readonly totalPaid: Cents
  readonly paidAt: Date | null
  readonly retryAt: Date | null
}

/** Why it cannot be paid; undefined where it can. */
export function obstacleToPayment(invoice: InvoiceFacts): Obstacle | 'wrong_state' | undefined {
  const { status } = invoice
  return status === 'DELETED' || status === 'VOID' ? 'wrong_state' : obstacleToDeletion(invoice)
}

/** Why it cannot be deleted; undefined where it can. */
export function obstacleToDeletion({ status, paymentId }: InvoiceFacts): Obstacle | undefined {
  if (status === 'PAID') return 'invoice_already_paid'
  return paymentId === null ? undefined : 'payment_under_way'
}

export function paid(bill: Bill, at: Date): Settled {
  return { status: 'PAID', totalPaid: bill.total, paidAt: at, retryAt: null }
}

/** `retryDays`: none where nobody tries again. */
export function attempted(bill: Bill, at: Date, retryDays: readonly number[]): Settled {
  return { status: 'ATTEMPTED', totalPaid: 0n, paidAt: null, retryAt: retryOf(bill, at, retryDays) }
}

/** Who has it before them for the first time, as far as we know; undefined where that is no news. */
export function viewed(
  { status, viewedAt }: { readonly status: InvoiceStatus; readonly viewedAt: Date | null },
  at: Date,
): { readonly status: InvoiceStatus; readonly viewedAt: Date } | undefined {
  const isOver = status === 'PAID' || status === 'VOID' || status === 'DELETED'
  if (isOver || viewedAt !== null) return undefined
  // A draft stays one: nobody was told of it yet, and who looks may be the merchant.
  return { status: status === 'SENT' ? 'VIEWED' : status, viewedAt: at }
}

/** Its payment was voided. */
export function reopened(bill: Bill): Settled {
  return { status: unpaidStatusOf(bill), totalPaid: 0n, paidAt: null, retryAt: null }
}

function unpaidStatusOf({ sentAt, viewedAt }: Bill): InvoiceStatus {
  if (viewedAt !== null) return 'VIEWED'
  return sentAt === null ? 'DRAFT' : 'SENT'
}

/** Nothing is made good for that fell due while nobody could try: then it is tried at once. */
function retryOf({ tries, createdAt }: Bill, at: Date, retryDays: readonly number[]): Date | null {
  const days = tries > 0 ? retryDays[tries - 1] : undefined
  if (days === undefined) return null
  const planned = after(createdAt, days * DAY)
  return planned > at ? planned : at
}
