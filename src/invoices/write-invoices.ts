// Writes changes of locked invoices, with their events, in a commit made of statements. A change
// that the invoice does not show writes no event and keeps the version.

import assert from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import { arraysOf } from '../db/arrays-of.ts'
import type { Query } from '../db/database.ts'
import { changeOf, writeWithEvents } from '../events/insert-event.ts'
import type { World } from '../world.ts'
import { type InvoiceRow, invoices, invoiceView } from './invoice.ts'

/** Changes that need no outcome of a gateway. */
export type InvoiceChange = Partial<
  Pick<
    InvoiceRow,
    | 'status'
    | 'total'
    | 'totalPaid'
    | 'paymentMethodId'
    | 'payBy'
    | 'isPayByExact'
    | 'meta'
    | 'sentAt'
    | 'viewedAt'
    | 'paidAt'
    | 'paymentId'
    | 'tries'
    | 'retryAt'
    | 'dueAt'
    | 'deletedAt'
  >
>

export interface InvoiceWrite {
  readonly held: InvoiceRow
  readonly change: InvoiceChange
  readonly requestId: string
  /** In the account's own time. */
  readonly at: Date
}

const INSERT_NAMES = `
  INSERT INTO bill_name (token, account_id, invoice_id)
  SELECT * FROM unnest($1::text[], $2::uuid[], $3::uuid[])`

/**
 * Inserts new invoices and the tokens of their pages. Each belongs to the request that it names.
 */
export async function insertInvoices(
  world: World,
  query: Query,
  ...rows: readonly InvoiceRow[]
): Promise<void> {
  if (rows.length === 0) return
  const changes = rows.map((row) => changeOf('create_invoice', row, invoiceView(world, row), row))
  await writeWithEvents(world, query, invoices.insertion, rows, changes)
  await query(INSERT_NAMES, arraysOf(rows, 'token', 'accountId', 'id'))
}

/** Returns the invoice as it is after the change. */
export async function writeInvoice(
  world: World,
  query: Query,
  write: InvoiceWrite,
): Promise<InvoiceRow> {
  const [written] = await writeInvoices(world, query, [write])
  assert(written !== undefined, 'one row for each write')
  return written
}

/** Returns the invoices as they are after the change, one for each write. */
export async function writeInvoices(
  world: World,
  query: Query,
  writes: readonly InvoiceWrite[],
): Promise<readonly InvoiceRow[]> {
  const rows = writes.map((write) => nextOf(world, write))
  const changes = writes.flatMap((write, i) => {
    const { [i]: next = write.held } = rows
    if (next.version === write.held.version) return []
    return [changeOf('update_invoice', next, invoiceView(world, next), write)]
  })
  await writeWithEvents(world, query, invoices.change, rows, changes)
  return rows
}

function nextOf(world: World, { held, change, at }: InvoiceWrite): InvoiceRow {
  const next = { ...held, ...change }
  const isSeen = !isDeepStrictEqual(invoiceView(world, held), invoiceView(world, next))
  return isSeen ? { ...next, version: held.version + 1, updatedAt: at } : next
}
