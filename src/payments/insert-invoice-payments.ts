// Payments of invoices that are held, written and owed in a commit that is made of statements. What
// an invoice has still to get is what is charged.

import type { Query } from '../db/database.ts'
import type { InvoiceRow } from '../invoices/invoice-row.ts'

export interface InvoicePayment {
  readonly id: string
  readonly invoice: InvoiceRow
  readonly paymentMethodId: string
  /** Which of the payments that nobody asked for; null where somebody did. */
  readonly invoiceTry: number | null
  readonly channel: string | null
  readonly paymentLinkId: string | null
  readonly idempotencyId: string | null
  readonly funding: unknown
  readonly receiptTo: string | null
  readonly meta: unknown
  readonly requestId: string
  /** When its work is due, in real time. */
  readonly dueAt: Date
  readonly deadlineAt: Date
  /** In the account's own time. */
  readonly createdAt: Date
}

const INSERT = `
  INSERT INTO transaction (account_id, id, type, method, status, currency, total, channel,
    customer_id, payment_method_id, invoice_id, invoice_try, schedule_id, payment_link_id,
    idempotency_id, gateway_name, last_four, funding, meta, receipt_to, request_id, owed, due_at,
    deadline_at, created_at, updated_at)
  SELECT v.account_id, p.id, 'charge', m.method, 'PENDING', v.currency, v.total - v.total_paid,
    p.channel, m.customer_id, m.id, v.id, p.invoice_try, v.schedule_id, p.payment_link_id,
    p.idempotency_id, m.gateway_name, m.last_four, p.funding, p.meta, p.receipt_to, p.request_id,
    'charge', p.due_at, p.deadline_at, p.created_at, p.created_at
  FROM json_to_recordset($1::json) AS p (
    account_id uuid, id uuid, invoice_id uuid, payment_method_id uuid, invoice_try integer,
    channel text, payment_link_id text, idempotency_id text, funding jsonb, meta jsonb,
    receipt_to text, request_id text, due_at timestamptz, deadline_at timestamptz,
    created_at timestamptz
  )
  JOIN invoice v ON v.account_id = p.account_id AND v.id = p.invoice_id
  JOIN payment_method m ON m.account_id = p.account_id AND m.id = p.payment_method_id
  ON CONFLICT DO NOTHING
  RETURNING id`

/**
 * Answers those that were made. The database has the last word: of an invoice with a payment that
 * is under way, or that has paid it, no other is made.
 */
export async function insertInvoicePayments(
  query: Query,
  payments: readonly InvoicePayment[],
): Promise<ReadonlySet<string>> {
  if (payments.length === 0) return new Set()
  const rows = payments.map((payment) => ({
    account_id: payment.invoice.accountId,
    id: payment.id,
    invoice_id: payment.invoice.id,
    payment_method_id: payment.paymentMethodId,
    invoice_try: payment.invoiceTry,
    channel: payment.channel,
    payment_link_id: payment.paymentLinkId,
    idempotency_id: payment.idempotencyId,
    funding: payment.funding,
    receipt_to: payment.receiptTo,
    meta: payment.meta,
    request_id: payment.requestId,
    due_at: payment.dueAt,
    deadline_at: payment.deadlineAt,
    created_at: payment.createdAt,
  }))
  const made = await query(INSERT, [JSON.stringify(rows)])
  return new Set(made.map(({ id }) => id))
}
