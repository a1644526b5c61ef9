// Records by hand what was paid in cash or by check. No gateway hears of it, and no batch takes it.

import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import { type Cents, toDecimal } from '../core/money.ts'
import { builtInPaymentMethod } from '../customers/built-in-payment-method.ts'
import { knownCustomer } from '../customers/find-customer.ts'
import { eventWrite } from '../events/event-write.ts'
import type { Customer, Prisma, Transaction } from '../generated/client.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { answeredBefore, type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import type { Books } from './books.ts'
import { transactionView } from './transaction-view.ts'

export interface NewTransaction {
  readonly type: 'charge' | 'refund' | 'credit'
  readonly method: 'cash' | 'check'
  readonly total: Cents
  readonly customerId: string
  readonly source: string | null
  readonly message: string | null
  readonly meta: Readonly<Record<string, unknown>>
}

const OPERATION = 'record_transaction'

export async function recordTransaction(
  world: World,
  books: Books,
  asking: Asking,
  input: NewTransaction,
): Promise<Done> {
  const request = canonical(input)
  const before = await answeredBefore(world, asking, { operation: OPERATION, request })
  if (before !== undefined) return before
  const customer = await namedCustomer(world, books.accountId, input.customerId)
  const paymentMethod = await builtInPaymentMethod(world, asking, input.method)
  const own = newRow(world, books, asking, input, paymentMethod.id)
  const row = { ...own, customer, paymentMethod, paymentLinkDeletedAt: null }
  const view = transactionView(row, books)
  return once(world, {
    accountId: books.accountId,
    operation: OPERATION,
    idempotencyKey: asking.idempotencyKey,
    request,
    resourceId: own.id,
    answer: view,
    writes: [
      world.db.prisma.transaction.create({ data: writable(own) }),
      eventWrite(world, {
        accountId: books.accountId,
        type: 'create_transaction',
        resourceId: own.id,
        sequence: own.version,
        view,
        requestId: asking.requestId,
        at: books.now,
      }),
    ],
  })
}

/** Whom the request names. */
export async function namedCustomer(
  world: World,
  accountId: string,
  id: string,
): Promise<Customer> {
  const customer = await knownCustomer(world, accountId, id)
  if (customer !== undefined) return customer
  throw new Refusal('not_found', { faults: { customer_id: ['is unknown'] } })
}

/** Only a charge brings money. */
export function capturedOf(type: Transaction['type'], total: Cents): Cents {
  return type === 'charge' ? total : 0n
}

function newRow(
  world: World,
  books: Books,
  asking: Asking,
  input: NewTransaction,
  paymentMethodId: string,
): Transaction {
  return {
    ...NOTHING_ELSE,
    accountId: books.accountId,
    id: world.newId(),
    type: input.type,
    method: input.method,
    status: 'SUCCESS',
    message: input.message,
    currency: 'USD',
    total: input.total,
    captured: capturedOf(input.type, input.total),
    isManual: true,
    source: input.source,
    customerId: input.customerId,
    paymentMethodId,
    idempotencyId: asking.idempotencyKey ?? null,
    meta: input.meta as Prisma.JsonObject,
    requestId: asking.requestId,
    version: 1,
    outcomeSequence: 1,
    createdAt: books.now,
    updatedAt: books.now,
  }
}

const NOTHING_ELSE = {
  refunded: 0n,
  reserved: 0n,
  voidId: null,
  isVoided: false,
  children: 0,
  channel: null,
  invoiceId: null,
  invoiceTry: null,
  scheduleId: null,
  paymentLinkId: null,
  referenceId: null,
  businessDate: null,
  batchId: null,
  batchedAt: null,
  gatewayName: null,
  authId: null,
  lastFour: null,
  funding: null,
  receiptTo: null,
  receiptEmailAt: null,
  receiptSmsAt: null,
  owed: null,
  dueAt: null,
  deadlineAt: null,
  parkedAt: null,
  attempt: 0,
}

/** What has no funding leaves it out: Prisma tells a JSON null from none at all. */
function writable({ funding: _none, meta, ...row }: Transaction) {
  return { ...row, meta: meta as Prisma.InputJsonObject }
}

function canonical(input: NewTransaction): CanonicalRequest {
  return {
    total: toDecimal(input.total),
    type: input.type,
    method: input.method,
    customer_id: input.customerId,
    source: input.source,
    message: input.message,
    meta: input.meta,
  }
}
