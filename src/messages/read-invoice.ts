// Reads an invoice for messages, with its team, its customer and a payment method.

import { customerColumns } from '../customers/customer.ts'
import { methodColumns } from '../customers/payment-method.ts'
import { gatheredLookUp } from '../db/gathered.ts'
import type { Customer, PaymentMethod } from '../generated/client.ts'
import { INVOICE_COLUMNS, type InvoiceRow, readInvoice } from '../invoices/invoice.ts'
import { RUN_DAY, readRunDay } from '../invoices/run-day.ts'
import { takenBackSum } from '../payments/afterwards/taken-back.ts'
import { readSender, SENDER_COLUMNS, SENDER_JOINS, type Sender } from './sender.ts'

export interface LetterInvoice extends Sender {
  readonly invoice: InvoiceRow
  /** The day of its run, by the schedule's clock, if it is due at its run. */
  readonly runDay: Date | null
  readonly customer: Customer
  /** That of its payment or of the last try; before any, that of automatic payments. */
  readonly paymentMethod: PaymentMethod | undefined
  /** What the payer's bank has taken back of the payment, in cents. */
  readonly takenBack: bigint
}

export const readLetterInvoice = gatheredLookUp({
  name: 'read-letter-invoice',
  table: 'invoice',
  alias: 'v',
  columns: `${INVOICE_COLUMNS}, ${customerColumns.list}, ${methodColumns.list},
      ${SENDER_COLUMNS}, ${RUN_DAY},
      ${takenBackSum('v.account_id', 'v.payment_id')} AS taken_back`,
  joins: `${SENDER_JOINS}
    CROSS JOIN LATERAL (
      SELECT * FROM customer WHERE account_id = v.account_id AND id = v.customer_id OFFSET 0
    ) c
    LEFT JOIN LATERAL (
      SELECT * FROM payment_method
      WHERE account_id = v.account_id AND id = coalesce((
        SELECT t.payment_method_id FROM transaction t
        WHERE t.account_id = v.account_id AND t.id = v.payment_id
      ), (
        SELECT t.payment_method_id FROM transaction t
        WHERE t.account_id = v.account_id AND t.invoice_id = v.id AND t.status <> 'PENDING'
          AND t.type = 'charge'
        ORDER BY t.created_at DESC, t.id DESC LIMIT 1
      ), v.payment_method_id) OFFSET 0
    ) m ON true`,
  read: (row): LetterInvoice => ({
    ...readSender(row),
    invoice: readInvoice(row),
    runDay: readRunDay(row),
    customer: customerColumns.read(row),
    paymentMethod: row.m_id === null ? undefined : methodColumns.read(row),
    takenBack: BigInt(row.taken_back),
  }),
})

export type BillStory = 'to pay' | 'failed' | 'under way' | 'paid' | 'returned'

/** Undefined if nothing is due any more. */
export function billStoryOf({
  invoice: { status, paymentId },
  takenBack,
}: Pick<LetterInvoice, 'invoice' | 'takenBack'>): BillStory | undefined {
  switch (status) {
    case 'DRAFT':
    case 'SENT':
    case 'VIEWED':
    case 'PARTIALLY APPLIED':
      return paymentId === null ? 'to pay' : 'under way'
    case 'ATTEMPTED':
      return paymentId === null ? 'failed' : 'under way'
    case 'PAID':
      return takenBack > 0n ? 'returned' : 'paid'
    case 'VOID':
    case 'DELETED':
      return undefined
  }
}

/** Its page takes a payment. */
export function isPayable(story: BillStory): boolean {
  return story === 'to pay' || story === 'failed'
}

/** There is nothing that could be paid on its page. */
export function hasBeenPaid(story: BillStory): boolean {
  return story === 'paid' || story === 'returned'
}
