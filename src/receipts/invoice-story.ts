// What an invoice asks of who reads of it.

import type { InvoiceRow } from '../invoices/invoice-row.ts'

export type BillStory = 'to pay' | 'failed' | 'under way' | 'paid'

/** Undefined where there is nothing to pay any more. */
export function billStoryOf({ status, paymentId }: InvoiceRow): BillStory | undefined {
  switch (status) {
    case 'DRAFT':
    case 'SENT':
    case 'VIEWED':
    case 'PARTIALLY APPLIED':
      return paymentId === null ? 'to pay' : 'under way'
    case 'ATTEMPTED':
      return paymentId === null ? 'failed' : 'under way'
    case 'PAID':
      return 'paid'
    case 'VOID':
    case 'DELETED':
      return undefined
  }
}
