// An invoice as statements read and write it.

import type { InvoiceStatus } from '../core/invoice.ts'
import { columnsOf } from '../db/columns.ts'
import type { Invoice } from '../generated/client.ts'

export interface InvoiceRow extends Omit<Invoice, 'status'> {
  readonly status: InvoiceStatus
}

/** Of a statement that calls the table `v`. */
export const invoices = columnsOf<InvoiceRow>('Invoice', 'v', ['total', 'totalPaid'])
export const { list: INVOICE_COLUMNS, read: readInvoice } = invoices
