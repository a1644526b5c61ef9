// Writes changes of invoices that are held, with their events, in a commit that is made of
// statements. Of what an invoice does not show nobody is told, and its version stays.

import { isDeepStrictEqual } from 'node:util'
import type { Query } from '../db/database.ts'
import { INSERT_EVENTS } from '../events/insert-event.ts'
import type { World } from '../world.ts'
import type { InvoiceRow } from './invoice-row.ts'
import { invoiceView } from './invoice-view.ts'

/** What changes without a payment's outcome. */
export type InvoiceChange = Partial<
  Pick<
    InvoiceRow,
    'status' | 'viewedAt' | 'paymentId' | 'tries' | 'retryAt' | 'dueAt' | 'deletedAt'
  >
>

export interface InvoiceWrite {
  readonly held: InvoiceRow
  readonly change: InvoiceChange
  readonly requestId: string
  /** In the account's own time. */
  readonly at: Date
}

const WRITE = `
  WITH written AS (
    SELECT * FROM json_to_recordset($1::json) AS w (
      account_id uuid, id uuid, status invoice_status, viewed_at timestamptz, payment_id uuid,
      tries integer, retry_at timestamptz, due_at timestamptz, deleted_at timestamptz,
      version integer, updated_at timestamptz, event_id uuid, snapshot json, request_id text
    )
  ),
  updated AS (
    UPDATE invoice v SET status = w.status, viewed_at = w.viewed_at, payment_id = w.payment_id,
      tries = w.tries, retry_at = w.retry_at, due_at = w.due_at, deleted_at = w.deleted_at,
      version = w.version, updated_at = w.updated_at
    FROM written w WHERE v.account_id = w.account_id AND v.id = w.id
  )
  ${INSERT_EVENTS}
  SELECT account_id, event_id, 'update_invoice', id::text, version, snapshot, request_id, updated_at
  FROM written WHERE event_id IS NOT NULL`

/** Answers them as they are then. */
export async function writeInvoices(
  world: World,
  query: Query,
  writes: readonly InvoiceWrite[],
): Promise<readonly InvoiceRow[]> {
  const written = writes.map((write) => ({ ...write, next: nextOf(world, write) }))
  if (written.length === 0) return []
  const rows = written.map(({ held, next, requestId }) => ({
    account_id: next.accountId,
    id: next.id,
    status: next.status,
    viewed_at: next.viewedAt,
    payment_id: next.paymentId,
    tries: next.tries,
    retry_at: next.retryAt,
    due_at: next.dueAt,
    deleted_at: next.deletedAt,
    version: next.version,
    updated_at: next.updatedAt,
    ...(next.version === held.version ? {} : eventOf(world, next, requestId)),
  }))
  await query(WRITE, [JSON.stringify(rows)])
  return written.map(({ next }) => next)
}

function nextOf(world: World, { held, change, at }: InvoiceWrite): InvoiceRow {
  const next = { ...held, ...change }
  const isSeen = !isDeepStrictEqual(invoiceView(world, held), invoiceView(world, next))
  return isSeen ? { ...next, version: held.version + 1, updatedAt: at } : next
}

function eventOf(world: World, next: InvoiceRow, requestId: string) {
  return { event_id: world.newId(), snapshot: invoiceView(world, next), request_id: requestId }
}
