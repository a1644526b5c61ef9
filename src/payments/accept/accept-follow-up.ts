// The API server's part of a void, a refund or a capture. It decides by the parent's row, reserves
// the amount on it, and writes the due payment. All of it is one commit, in which the parent is
// locked: of two follow-ups that exclude each other, the second sees the first.

import type { ActingAccount, RequestContext } from '../../accounts/acting-account.ts'
import { holdReadyClock } from '../../accounts/hold-clock.ts'
import { Refusal } from '../../core/errors.ts'
import { decide, type FollowUpDecision, type FollowUpInput } from '../../core/follow-up.ts'
import { toDecimal } from '../../core/money.ts'
import { orNotFound } from '../../core/or-not-found.ts'
import { firstWork } from '../../core/transaction.ts'
import type { Query } from '../../db/database.ts'
import type { Transaction } from '../../generated/client.ts'
import { claimKey } from '../../idempotency/claim-key.ts'
import type { CanonicalRequest } from '../../idempotency/compare-requests.ts'
import { type AcceptedRequest, acceptedBefore } from '../../idempotency/find-claim.ts'
import type { World } from '../../world.ts'
import { refuseTakenBack } from '../afterwards/taken-back.ts'
import { type AccountContext, contextOfCaller } from '../transaction/account-context.ts'
import { followUpFactsOf } from '../transaction/follow-up-facts.ts'
import {
  lockTransaction,
  lockTransactionInBatch,
  transactionTurn,
} from '../transaction/lock-transaction.ts'
import { insertOwn, type TransactionRow, transactionWith } from '../transaction/transaction-row.ts'
import { workTimes } from './accept-payment.ts'

const MAY_VOID: ReadonlySet<FollowUpInput['operation']> = new Set(['void', 'void_or_refund'])

type Granted = Extract<FollowUpDecision, { kind: 'granted' }>

export async function acceptFollowUp(
  world: World,
  caller: ActingAccount,
  context: RequestContext,
  parentId: string,
  input: FollowUpInput,
): Promise<AcceptedRequest> {
  const id = world.newId()
  const request = canonical(parentId, input)
  const parentKey = { accountId: context.accountId, id: parentId }
  const lock = MAY_VOID.has(input.operation) ? lockTransactionInBatch : lockTransaction
  const granted = await world.db.commit(transactionTurn(parentKey), async (query) => {
    const { clockAt } = await holdReadyClock(query, context)
    // A repeat gets its answer even if the same request would be refused by now. The key comes
    // before the row, as for all requests, so that two with one key never wait for each other.
    const claim = { operation: input.operation, request, resourceId: id }
    if (!(await claimKey(world, query, context, claim))) return undefined
    const parent = orNotFound(await lock(query, parentKey))
    const decision = decideOn(parent, contextOfCaller(world, { ...caller, clockAt }), input)
    if (!world.gateways.serves(parent)) throw new Refusal('no_live_gateway')
    await refuseTakenBack(query, parent, decision)
    await reserve(query, parent, id, decision)
    await insertOwn(query, newRow(world, { ...context, clockAt }, parent, id, decision))
    return decision
  })
  if (granted === undefined) {
    const { operation, totalField: total = 'total' } = input
    return acceptedBefore(world, context, { operation, request, called: { total } })
  }
  return { id, work: firstWork(granted.type) }
}

function decideOn(
  parent: TransactionRow,
  accountContext: AccountContext,
  input: FollowUpInput,
): Granted {
  const isLinkDeleted = parent.paymentLinkDeletedAt !== null
  const decision = decide(followUpFactsOf(parent, isLinkDeleted, accountContext), input)
  if (decision.kind === 'granted') return decision
  const { code, reason } = decision
  if (code === 'invalid_request') {
    const fault = `must be at most ${toDecimal(parent.total)}, the total of the transaction`
    throw new Refusal(code, { faults: { [input.totalField ?? 'total']: [fault] } })
  }
  throw new Refusal(code, reason === undefined ? {} : { message: reason })
}

const RESERVE = `
  UPDATE transaction SET children = children + 1, reserved = reserved + $3,
    void_id = coalesce($4, void_id)
  WHERE account_id = $1 AND id = $2`

async function reserve(query: Query, parent: TransactionRow, id: string, granted: Granted) {
  const isVoid = granted.type === 'void'
  await query(RESERVE, [
    parent.accountId,
    parent.id,
    isVoid ? 0n : granted.amount,
    isVoid ? id : null,
  ])
}

/** Customer and payment method are those of its parent. */
function newRow(
  world: World,
  context: RequestContext,
  parent: TransactionRow,
  id: string,
  { type, amount }: Granted,
): Transaction {
  const { accountId, method, currency, channel, gatewayName, lastFour } = parent
  const { customerId, paymentMethodId, invoiceId, scheduleId, paymentLinkId } = parent
  const createdAt = world.accountNow(context)
  return transactionWith({
    accountId,
    id,
    type,
    method,
    status: 'PENDING',
    currency,
    total: amount,
    channel,
    customerId,
    paymentMethodId,
    invoiceId,
    scheduleId,
    paymentLinkId,
    referenceId: parent.id,
    idempotencyId: context.idempotencyKey ?? null,
    gatewayName,
    lastFour,
    requestId: context.requestId,
    owed: firstWork(type),
    ...workTimes(world, createdAt),
    createdAt,
    updatedAt: createdAt,
  })
}

/** JSON of the parsed request: 12.5 and "12.50" are equal here. */
function canonical(
  parentId: string,
  { total, previouslyRefunded }: FollowUpInput,
): CanonicalRequest {
  return {
    transaction_id: parentId,
    ...(total === undefined ? {} : { total: toDecimal(total) }),
    ...(previouslyRefunded === undefined
      ? {}
      : { previously_refunded: toDecimal(previouslyRefunded) }),
  }
}
