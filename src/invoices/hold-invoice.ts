// What changes an invoice begins by taking hold of it: nobody else decides anything of it until the
// commit.

import type { Query } from '../db/database.ts'
import { type InvoiceRow, invoices } from './invoice-row.ts'

type Key = Pick<InvoiceRow, 'accountId' | 'id'>

/** Deleted ones too. */
export function holdInvoice(query: Query, key: Key): Promise<InvoiceRow | undefined> {
  return invoices.hold(query, key, 'FOR NO KEY UPDATE')
}

/** What a commit about an invoice is about: they take turns. */
export function turnOfInvoice({ accountId, id }: Key): string {
  return `invoice ${accountId} ${id}`
}
