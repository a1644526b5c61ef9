// Records a cash or check payment by hand. It goes to no gateway and joins no batch.

import type { RequestContext } from '../../accounts/acting-account.ts'
import { holdReadyClock } from '../../accounts/hold-clock.ts'
import { type Cents, toDecimal } from '../../core/money.ts'
import { builtInPaymentMethod } from '../../customers/built-in-payment-method.ts'
import { namedCustomer } from '../../customers/find-customer.ts'
import { changeOf, insertEvent } from '../../events/insert-event.ts'
import type { Prisma, Transaction } from '../../generated/client.ts'
import type { CanonicalRequest } from '../../idempotency/compare-requests.ts'
import { answeredBefore, type Done, once } from '../../idempotency/once.ts'
import type { World } from '../../world.ts'
import { type AccountContext, accountContextOf } from '../transaction/account-context.ts'
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
  const id = world.newId()
  const claim = { operation: OPERATION, request, resourceId: id }
  return once(world, requestContext, claim, async (query) => {
    const timed = accountContextOf(world, await holdReadyClock(query, accountContext))
    const own = newRow(timed, requestContext, input, { id, paymentMethodId: paymentMethod.id })
    const unbatched = { ...own, batchId: null, batchedAt: null }
    const row = { ...unbatched, customer, paymentMethod, paymentLinkDeletedAt: null }
    const view = transactionView(row, timed)
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
  { accountId, now }: AccountContext,
  requestContext: RequestContext,
  input: NewTransaction,
  own: Pick<Transaction, 'id' | 'paymentMethodId'>,
): Transaction {
  return transactionWith({
    accountId,
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
    idempotencyId: requestContext.idempotencyKey ?? null,
    meta: input.meta as Prisma.JsonObject,
    requestId: requestContext.requestId,
    version: 1,
    outcomeSequence: 1,
    createdAt: now,
    updatedAt: now,
    ...own,
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
