// Reads an invoice for its page, by its token alone, with its customer and the account to pay.

import { customerColumns } from '../customers/customer.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { Customer } from '../generated/client.ts'
import { INVOICE_COLUMNS, type InvoiceRow, readInvoice } from '../invoices/invoice.ts'
import { RUN_DAY, readRunDay } from '../invoices/run-day.ts'
import { reachedSum, takenBackSum } from '../payments/afterwards/taken-back.ts'
import { PAYEE_COLUMNS, PAYEE_JOIN, type Payee, readPayee } from './payee.ts'

export interface BillPage {
  readonly payee: Payee
  readonly invoice: InvoiceRow
  /** The day of its run, by the schedule's clock, if it is due at its run. */
  readonly runDay: Date | null
  readonly customer: Customer
  /** A debit of a bank account is in progress, which takes days. */
  readonly isPaidFromBank: boolean
  /** What was refunded of the payment, in cents, without refunds that failed. */
  readonly refunded: bigint
  /** What the payer's bank has taken back of the payment, in cents. */
  readonly takenBack: bigint
}

export const readBillPage = gatheredStatement({
  name: 'read-bill-page',
  columns: { token: 'text' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, ${INVOICE_COLUMNS}, ${customerColumns.list}, ${PAYEE_COLUMNS},
      p.method = 'bank' AS is_paid_from_bank, ${reachedSum('p')} AS refunded, ${RUN_DAY},
      ${takenBackSum('v.account_id', 'v.payment_id')} AS taken_back
    FROM input i
    JOIN bill_name n ON n.token = i.token::char(32)
    JOIN invoice v ON v.account_id = n.account_id AND v.id = n.invoice_id
    JOIN customer c ON c.account_id = v.account_id AND c.id = v.customer_id
    LEFT JOIN LATERAL (
      SELECT account_id, id, method, refunded FROM transaction
      WHERE account_id = v.account_id AND id = v.payment_id OFFSET 0
    ) p ON true
    JOIN account a ON a.id = v.account_id
    JOIN team t ON t.id = a.team_id ${PAYEE_JOIN}`,
  read: (row): BillPage => ({
    payee: readPayee(row),
    invoice: readInvoice(row),
    runDay: readRunDay(row),
    customer: customerColumns.read(row),
    isPaidFromBank: row.is_paid_from_bank === true,
    refunded: BigInt(row.refunded ?? 0),
    takenBack: BigInt(row.taken_back),
  }),
})
