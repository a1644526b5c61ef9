// Records a cash or check payment by hand.

import type { ActingAccount, RequestContext } from '../../accounts/acting-account.ts'
import { holdReadyClock } from '../../accounts/hold-clock.ts'
import { type Cents, toDecimal } from '../../core/money.ts'
import { builtInPaymentMethod } from '../../customers/built-in-payment-method.ts'
import { namedCustomer } from '../../customers/find-customer.ts'
import type { Prisma } from '../../generated/client.ts'
import type { CanonicalRequest } from '../../idempotency/compare-requests.ts'
import { answeredBefore, type Done, once } from '../../idempotency/once.ts'
import type { World } from '../../world.ts'
import { contextOfCaller } from '../transaction/account-context.ts'
import { writeByHand } from './write-by-hand.ts'

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
  caller: ActingAccount,
  context: RequestContext,
  input: NewTransaction,
): Promise<Done> {
  const { type, total, source, message, meta } = input
  const request = canonical(input)
  const before = await answeredBefore(world, context, { operation: OPERATION, request })
  if (before !== undefined) return before
  const customer = await namedCustomer(world.db.query, context.accountId, input.customerId)
  const paymentMethod = await builtInPaymentMethod(world, context, input.method)
  const id = world.newId()
  const claim = { operation: OPERATION, request, resourceId: id }
  return once(world, context, claim, async (query) => {
    const timed = contextOfCaller(world, await holdReadyClock(query, caller))
    return writeByHand(world, query, timed, context, {
      id,
      type,
      currency: 'USD',
      total,
      source,
      message,
      meta: meta as Prisma.JsonObject,
      customer,
      paymentMethod,
    })
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
