// The intake's half of a void, a refund and a capture: decides by the parent's row, reserves on it
// what they take, writes what is owed, and nudges. One commit, in which the parent is held: of two
// that cannot both be, the second finds what the first has left.

import type { ActingAccount } from '../accounts/acting-account.ts'
import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import { type Decision, decide, type Wish } from '../core/follow-up.ts'
import { toDecimal } from '../core/money.ts'
import { after } from '../core/time-units.ts'
import { owedAtFirst } from '../core/transaction.ts'
import type { Query } from '../db/database.ts'
import { claimKey } from '../idempotency/claim-key.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { findClaim } from '../idempotency/find-claim.ts'
import type { World } from '../world.ts'
import { type Books, booksOfCaller } from './books.ts'
import { lockTransaction, turnOf } from './lock-transaction.ts'
import { standingOf } from './standing.ts'
import type { TransactionRow } from './transaction-row.ts'

/** `isNew` is false for a repeat of a request that was accepted before. */
export interface AcceptedFollowUp {
  readonly id: string
  readonly isNew: boolean
}

type Granted = Extract<Decision, { kind: 'granted' }>

export async function acceptFollowUp(
  world: World,
  caller: ActingAccount,
  asking: Asking,
  parentId: string,
  wish: Wish,
): Promise<AcceptedFollowUp> {
  const id = world.newId()
  const request = canonical(parentId, wish)
  const parentKey = { accountId: asking.accountId, id: parentId }
  const granted = await world.db.commit(turnOf(parentKey), async (query) => {
    const parent = await lockTransaction(query, parentKey)
    if (parent === undefined) throw new Refusal('not_found')
    // A repeat gets its answer even where the same request would be refused by now.
    const claim = { operation: wish.operation, request, resourceId: id }
    if (!(await claimKey(world, query, asking, claim))) return undefined
    const decision = decideOn(parent, booksOfCaller(world, caller), wish)
    await reserve(query, parent, id, decision)
    await insert(world, query, asking, parent, id, decision)
    return decision
  })
  if (granted === undefined) return repeated(world, asking, wish.operation, request)
  const { accountId, requestId } = asking
  const replyTo = world.queues.replies.address
  world.queues.nudge(owedAtFirst(granted.type), { accountId, id, requestId, replyTo })
  return { id, isNew: true }
}

function decideOn(parent: TransactionRow, books: Books, wish: Wish): Granted {
  const isLinkDeleted = parent.paymentLinkDeletedAt !== null
  const decision = decide(standingOf(parent, isLinkDeleted, books), wish)
  if (decision.kind === 'granted') return decision
  const { code, reason } = decision
  if (code === 'invalid_request') {
    const fault = `must be at most ${toDecimal(parent.total)}, the total of the transaction`
    throw new Refusal(code, { faults: { total: [fault] } })
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

const INSERT = `
  INSERT INTO transaction (account_id, id, type, method, status, currency, total, channel,
    customer_id, payment_method_id, invoice_id, schedule_id, payment_link_id, reference_id,
    idempotency_id, gateway_name, last_four, meta, request_id, owed, due_at, deadline_at,
    created_at, updated_at)
  SELECT account_id, $3, $4, method, 'PENDING', currency, $5, channel,
    customer_id, payment_method_id, invoice_id, schedule_id, payment_link_id, id,
    $6, gateway_name, last_four, '{}', $7, $8, $9, $10, $11, $11
  FROM transaction WHERE account_id = $1 AND id = $2`

async function insert(
  world: World,
  query: Query,
  asking: Asking,
  parent: TransactionRow,
  id: string,
  { type, amount }: Granted,
): Promise<void> {
  const createdAt = world.accountNow(asking)
  await query(INSERT, [
    parent.accountId,
    parent.id,
    id,
    type,
    amount,
    asking.idempotencyKey ?? null,
    asking.requestId,
    owedAtFirst(type),
    after(world.clock.now(), world.timings.nudgeGraceMs),
    after(createdAt, world.config.pendingDeadlineMs),
    createdAt,
  ])
}

async function repeated(
  world: World,
  { accountId, idempotencyKey }: Asking,
  operation: string,
  request: CanonicalRequest,
): Promise<AcceptedFollowUp> {
  const key = idempotencyKey ?? ''
  const claim = await findClaim(world, accountId, key, { operation, request })
  if (claim === undefined) throw new Error('the key was taken, and nobody has it')
  return { id: claim.resourceId, isNew: false }
}

/** As JSON gives it back, after parsing: 12.5 and "12.50" are the same here. */
function canonical(parentId: string, { total, previouslyRefunded }: Wish): CanonicalRequest {
  return {
    transaction_id: parentId,
    ...(total === undefined ? {} : { total: toDecimal(total) }),
    ...(previouslyRefunded === undefined
      ? {}
      : { previously_refunded: toDecimal(previouslyRefunded) }),
  }
}
