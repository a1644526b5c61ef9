// Creates an invoice by hand. It was not sent yet, so it is a draft. Row, page token, event and the
// answer to repeats are one commit.

import type { RequestContext } from '../accounts/acting-account.ts'
import { holdNamedPayer } from '../customers/hold-payer.ts'
import type { Query } from '../db/database.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import { INVOICE, type InvoiceRow, invoiceView, newInvoiceRow } from './invoice.ts'
import { insertInvoices } from './write-invoices.ts'

export type NewInvoice = ReturnType<typeof INVOICE.newColumns> &
  Pick<InvoiceRow, 'currency' | 'customerId' | 'payBy' | 'isPayByExact'>

export async function createInvoice(
  world: World,
  context: RequestContext,
  input: NewInvoice,
): Promise<Done> {
  const row = newRow(world, context, input)
  const claim = { operation: 'create_invoice', request: canonical(row), resourceId: row.id }
  return once(world, context, claim, (query) => write(world, query, row))
}

function newRow(world: World, context: RequestContext, input: NewInvoice): InvoiceRow {
  return newInvoiceRow(world, world.accountNow(context), {
    ...input,
    accountId: context.accountId,
    status: 'DRAFT',
    scheduleId: null,
    channel: null,
    requestId: context.requestId,
  })
}

/** A repeat is compared with this: all input of the caller, and nothing that the service added. */
function canonical(row: InvoiceRow): CanonicalRequest {
  const { currency, customerId: customer_id, payBy } = row
  const due_at = payBy?.toISOString() ?? null
  return { ...INVOICE.canonical(row), currency, customer_id, due_at }
}

async function write(world: World, query: Query, row: InvoiceRow): Promise<object> {
  await holdNamedPayer(query, row)
  await insertInvoices(world, query, row)
  return invoiceView(world, row)
}
