// Makes an invoice by hand. Nobody was told of it yet, so it is a draft. Row, the name of its page,
// event and the answer to repeats are one commit.

import { randomBytes } from 'node:crypto'
import type { Asking } from '../accounts/asking.ts'
import type { Cents } from '../core/money.ts'
import { holdNamedPayer } from '../customers/hold-payer.ts'
import type { Query } from '../db/database.ts'
import { changeOf, insertEvent } from '../events/insert-event.ts'
import type { Prisma } from '../generated/client.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import { type InvoiceRow, insertInvoice } from './invoice-row.ts'
import { invoiceView } from './invoice-view.ts'

export interface NewInvoice {
  readonly total: Cents
  readonly currency: string
  readonly customerId: string
  readonly paymentMethodId: string | null
  readonly payBy: Date | null
  readonly meta: Readonly<Record<string, unknown>>
}

const OPERATION = 'create_invoice'

/** Whoever knows the token can open the page, so it is random throughout: no time in it, no count. */
const TOKEN_BYTES = 16

export async function createInvoice(
  world: World,
  asking: Asking,
  input: NewInvoice,
): Promise<Done> {
  const row = newRow(world, asking, input)
  const { accountId, idempotencyKey } = asking
  const request = canonical(world, row)
  const doing = { accountId, idempotencyKey, operation: OPERATION, request, resourceId: row.id }
  return once(world, doing, (query) => write(world, query, asking, row))
}

function newRow(world: World, asking: Asking, input: NewInvoice): InvoiceRow {
  const now = world.accountNow(asking)
  return {
    ...NOTHING_YET,
    accountId: asking.accountId,
    id: world.newId(),
    status: 'DRAFT',
    total: input.total,
    currency: input.currency,
    customerId: input.customerId,
    paymentMethodId: input.paymentMethodId,
    token: randomBytes(TOKEN_BYTES).toString('hex'),
    meta: input.meta as Prisma.JsonObject,
    payBy: input.payBy,
    requestId: asking.requestId,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

const NOTHING_YET = {
  totalPaid: 0n,
  scheduleId: null,
  channel: null,
  sentAt: null,
  viewedAt: null,
  paidAt: null,
  paymentId: null,
  tries: 0,
  retryAt: null,
  dueAt: null,
  deletedAt: null,
}

/** What a repeat is compared with: all that the caller has said, and nothing that we have added. */
function canonical(world: World, row: InvoiceRow): CanonicalRequest {
  const { total, currency, customer_id, payment_method_id, due_at, meta } = invoiceView(world, row)
  const said = { total, currency, customer_id, payment_method_id, due_at, meta }
  return JSON.parse(JSON.stringify(said))
}

const INSERT_NAME = 'INSERT INTO bill_name (token, account_id, invoice_id) VALUES ($1, $2, $3)'

async function write(world: World, query: Query, asking: Asking, row: InvoiceRow): Promise<object> {
  const view = invoiceView(world, row)
  await holdNamedPayer(query, row)
  await insertInvoice(query, row)
  await query(INSERT_NAME, [row.token, row.accountId, row.id])
  await insertEvent(world, query, changeOf(OPERATION, row, view, asking))
  return view
}
