// An invoice as statements read and write it: how it begins, is found and is locked.

import { randomBytes } from 'node:crypto'
import { Refusal } from '../core/errors.ts'
import type { InvoiceStatus } from '../core/invoice.ts'
import { columnsOf } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import type { Invoice } from '../generated/client.ts'
import type { World } from '../world.ts'

export interface InvoiceRow extends Omit<Invoice, 'status'> {
  readonly status: InvoiceStatus
}

/** Of a statement that calls the table `v`. */
export const invoices = columnsOf<InvoiceRow>('Invoice', 'v', ['total', 'totalPaid'])
export const { list: INVOICE_COLUMNS, read: readInvoice } = invoices

const FIND = `SELECT ${INVOICE_COLUMNS} FROM invoice v WHERE v.account_id = $1 AND v.id = $2`

/** A deleted one says that it is. */
export async function findInvoice(
  world: World,
  accountId: string,
  id: string,
): Promise<InvoiceRow> {
  const [row] = await world.db.query(FIND, [accountId, id])
  if (row === undefined) throw new Refusal('not_found')
  return readInvoice(row)
}

type Key = Pick<InvoiceRow, 'accountId' | 'id'>

/**
 * What changes an invoice begins by taking hold of it: nobody else decides anything of it until the
 * commit.
 *
 * Deleted ones too.
 */
export function holdInvoice(query: Query, key: Key): Promise<InvoiceRow | undefined> {
  return invoices.hold(query, key, 'FOR NO KEY UPDATE')
}

/** What a commit about an invoice is about: they take turns. */
export function turnOfInvoice({ accountId, id }: Key): string {
  return `invoice ${accountId} ${id}`
}

/** The token alone opens the page, so it is random throughout: no time in it, no count. */
const TOKEN_BYTES = 16

const nothingYet = (world: World, at: Date) => ({
  id: world.newId(),
  totalPaid: 0n,
  token: randomBytes(TOKEN_BYTES).toString('hex'),
  sentAt: null,
  viewedAt: null,
  paidAt: null,
  paymentId: null,
  tries: 0,
  retryAt: null,
  dueAt: null,
  version: 1,
  createdAt: at,
  updatedAt: at,
  deletedAt: null,
})

type Beginning = Omit<InvoiceRow, keyof ReturnType<typeof nothingYet>> & Partial<InvoiceRow>

/** `at` is in the account's own time. */
export function newInvoiceRow(world: World, at: Date, beginning: Beginning): InvoiceRow {
  return Object.assign(nothingYet(world, at), beginning)
}
