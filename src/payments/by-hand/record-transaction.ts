// Records a cash or check payment by hand. It goes to no gateway and joins no batch.

import type { RequestContext } from '../../accounts/acting-account.ts'
import { type Cents, toDecimal } from '../../core/money.ts'
import { builtInPaymentMethod } from '../../customers/built-in-payment-method.ts'
import { namedCustomer } from '../../customers/find-customer.ts'
import { changeOf, insertEvent } from '../../events/insert-event.ts'
import type { Prisma, Transaction } from '../../generated/client.ts'
import type { CanonicalRequest } from '../../idempotency/compare-requests.ts'
import { answeredBefore, type Done, once } from '../../idempotency/once.ts'
import type { World } from '../../world.ts'
import type { AccountContext } from '../transaction/account-context.ts'
import { insertOwn, transactionWith } from '../transaction/transaction-row.ts'
import { transactionView } from '../transaction/transaction-view.ts'

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
  accountContext: AccountContext,
  requestContext: RequestContext,
  input: NewTransaction,
): Promise<Done> {
  const request = canonical(input)
  const before = await answeredBefore(world, requestContext, { operation: OPERATION, request })
  if (before !== undefined) return before
  const customer = await namedCustomer(world.db.query, accountContext.accountId, input.customerId)
  const paymentMethod = await builtInPaymentMethod(world, requestContext, input.method)
  const own = newRow(world, accountContext, requestContext, input, paymentMethod.id)
  const unbatched = { ...own, batchId: null, batchedAt: null }
  const row = { ...unbatched, customer, paymentMethod, paymentLinkDeletedAt: null }
  const view = transactionView(row, accountContext)
  const claim = { operation: OPERATION, request, resourceId: own.id }
  return once(world, requestContext, claim, async (query) => {
    await insertOwn(query, own)
    await insertEvent(world, query, changeOf('create_transaction', own, view, requestContext))
    return view
  })
}

/** Only a charge brings money. */
export function capturedOf(type: Transaction['type'], total: Cents): Cents {
  return type === 'charge' ? total : 0n
}

function newRow(
  world: World,
  accountContext: AccountContext,
  requestContext: RequestContext,
  input: NewTransaction,
  paymentMethodId: string,
): Transaction {
  return transactionWith({
    accountId: accountContext.accountId,
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
    idempotencyId: requestContext.idempotencyKey ?? null,
    meta: input.meta as Prisma.JsonObject,
    requestId: requestContext.requestId,
    version: 1,
    outcomeSequence: 1,
    createdAt: accountContext.now,
    updatedAt: accountContext.now,
  })
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
