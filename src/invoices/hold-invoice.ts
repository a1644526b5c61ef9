// What changes an invoice begins by taking hold of it: nobody else decides anything of it until the
// commit.

import type { Query } from '../db/database.ts'
import { INVOICE_COLUMNS, type InvoiceRow, readInvoice } from './invoice-row.ts'

type Key = Pick<InvoiceRow, 'accountId' | 'id'>

const HOLD = `
  SELECT ${INVOICE_COLUMNS} FROM invoice v
  WHERE v.account_id = $1 AND v.id = $2
  FOR NO KEY UPDATE`

/** Deleted ones too. */
export async function holdInvoice(
  query: Query,
  { accountId, id }: Key,
): Promise<InvoiceRow | undefined> {
  const [row] = await query(HOLD, [accountId, id])
  return row && readInvoice(row)
}

/** What a commit about an invoice is about: they take turns. */
export function turnOfInvoice({ accountId, id }: Key): string {
  return `invoice ${accountId} ${id}`
}
