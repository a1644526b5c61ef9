// Makes an invoice by hand. Nobody was told of it yet, so it is a draft. Row, the name of its page,
// event and the answer to repeats are one commit.

import { randomBytes } from 'node:crypto'
import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import type { Cents } from '../core/money.ts'
import { heldCustomer } from '../customers/customer-writes.ts'
import { knownCustomer } from '../customers/find-customer.ts'
import { retryLostRace } from '../db/retry-lost-race.ts'
import { eventWrite } from '../events/event-write.ts'
import type { Prisma } from '../generated/client.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { answeredBefore, type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import type { InvoiceRow } from './invoice-row.ts'
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
  const request = canonical(world, row)
  const before = await answeredBefore(world, asking, { operation: OPERATION, request })
  if (before !== undefined) return before
  // Lost to whoever deletes the customer in the same moment.
  return retryLostRace(world.db, row, async () => {
    await refuseStrangers(world, row)
    return once(world, {
      accountId: asking.accountId,
      operation: OPERATION,
      idempotencyKey: asking.idempotencyKey,
      request,
      resourceId: row.id,
      answer: invoiceView(world, row),
      writes: invoiceWrites(world, asking, row),
    })
  })
}

type NewRow = InvoiceRow & { readonly status: 'DRAFT' }

function newRow(world: World, asking: Asking, input: NewInvoice): NewRow {
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

/** Whom and what the request names must be there, and the one must be the other's. */
async function refuseStrangers(world: World, row: InvoiceRow): Promise<void> {
  const { accountId, customerId, paymentMethodId } = row
  const customer = await knownCustomer(world, accountId, customerId)
  if (customer === undefined) throw unknown('customer_id')
  if (paymentMethodId === null) return
  const where = { accountId_id: { accountId, id: paymentMethodId }, deletedAt: null }
  const paymentMethod = await world.db.prisma.paymentMethod.findUnique({ where })
  if (paymentMethod === null) throw unknown('payment_method_id')
  if (paymentMethod.customerId === customerId) return
  const fault =
    paymentMethod.customerId === null
      ? 'must be a card or a bank account'
      : 'belongs to another customer'
  throw new Refusal('invalid_request', { faults: { payment_method_id: [fault] } })
}

function unknown(field: string): Refusal {
  return new Refusal('not_found', { faults: { [field]: ['is unknown'] } })
}

function invoiceWrites(world: World, asking: Asking, row: NewRow): Prisma.PrismaPromise<unknown>[] {
  const { accountId, id, token, customerId } = row
  const meta = row.meta as Prisma.InputJsonObject
  return [
    heldCustomer(world, { accountId, id: customerId }),
    world.db.prisma.invoice.create({ data: { ...row, meta } }),
    world.db.prisma.billName.create({ data: { token, accountId, invoiceId: id } }),
    eventWrite(world, {
      accountId,
      type: OPERATION,
      resourceId: id,
      sequence: row.version,
      view: invoiceView(world, row),
      requestId: asking.requestId,
      at: row.createdAt,
    }),
  ]
}
