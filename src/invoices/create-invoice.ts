// Creates an invoice by hand. It was not sent yet, so it is a draft. Row, page token, event and the
// answer to repeats are one commit.

import type { RequestContext } from '../accounts/acting-account.ts'
import type { Cents } from '../core/money.ts'
import { holdNamedPayer } from '../customers/hold-payer.ts'
import type { Query } from '../db/database.ts'
import type { Prisma } from '../generated/client.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import { type InvoiceRow, invoiceView, newInvoiceRow } from './invoice.ts'
import { insertInvoices } from './write-invoices.ts'

export interface NewInvoice {
  readonly total: Cents
  readonly currency: string
  readonly customerId: string
  readonly paymentMethodId: string | null
  readonly payBy: Date | null
  readonly meta: Readonly<Record<string, unknown>>
}

const OPERATION = 'create_invoice'

export async function createInvoice(
  world: World,
  context: RequestContext,
  input: NewInvoice,
): Promise<Done> {
  const row = newRow(world, context, input)
  const { accountId, idempotencyKey } = context
  const request = canonical(world, row)
  const doing = { accountId, idempotencyKey, operation: OPERATION, request, resourceId: row.id }
  return once(world, doing, (query) => write(world, query, row))
}

function newRow(world: World, context: RequestContext, input: NewInvoice): InvoiceRow {
  return newInvoiceRow(world, world.accountNow(context), {
    accountId: context.accountId,
    status: 'DRAFT',
    total: input.total,
    currency: input.currency,
    customerId: input.customerId,
    paymentMethodId: input.paymentMethodId,
    scheduleId: null,
    channel: null,
    meta: input.meta as Prisma.JsonObject,
    payBy: input.payBy,
    requestId: context.requestId,
  })
}

/** A repeat is compared with this: all input of the caller, and nothing that the service added. */
function canonical(world: World, row: InvoiceRow): CanonicalRequest {
  const { total, currency, customer_id, payment_method_id, due_at, meta } = invoiceView(world, row)
  const said = { total, currency, customer_id, payment_method_id, due_at, meta }
  return JSON.parse(JSON.stringify(said))
}

async function write(world: World, query: Query, row: InvoiceRow): Promise<object> {
  await holdNamedPayer(query, row)
  await insertInvoices(world, query, row)
  return invoiceView(world, row)
}
