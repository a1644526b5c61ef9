// Sends an accepted payment to the workers, and waits in the API server for the outcome, which
// perhaps comes from another process. A payment whose caller gets no outcome in time is answered as
// PENDING, after its event is written.

import assert from 'node:assert'
import { HELD_CLOCKS, holdClock } from '../../accounts/hold-clock.ts'
import { MINUTE } from '../../core/time-units.ts'
import type { FirstWork, TransactionStatus } from '../../core/transaction.ts'
import type { Answered } from '../../core/verdict.ts'
import { withResolvers } from '../../core/with-resolvers.ts'
import type { RowKey } from '../../db/columns.ts'
import type { Query } from '../../db/database.ts'
import { gatheredStatement } from '../../db/gathered.ts'
import { changeOf, INSERT_EVENTS, insertEvent } from '../../events/insert-event.ts'
import type { Transaction } from '../../generated/client.ts'
import type { World } from '../../world.ts'
import { type AccountContext, accountContextOf } from '../transaction/account-context.ts'
import { familyOf, findTransaction } from '../transaction/find-transaction.ts'
import { lockTransaction, transactionTurn } from '../transaction/lock-transaction.ts'
import { OWN_COLUMNS, readOwn, type TransactionRow } from '../transaction/transaction-row.ts'
import { versionAfterSql } from '../transaction/transaction-version.ts'
import { type TransactionView, transactionView } from '../transaction/transaction-view.ts'

export interface WaitingCaller extends RowKey {
  readonly accountContext: AccountContext
  /** Undefined for a repeat of an earlier request, which has started the work. */
  readonly work: FirstWork | undefined
  readonly requestId: string
  /** How long the caller waits, if it differs from the settings. */
  readonly waitMs?: number
  /** The caller need not wait on once the gateway has left the payment open. */
  readonly untilLeftOpen?: boolean
}

/**
 * Returns the outcome, or the PENDING payment when the time is up or this process must end. A
 * worker of this process hands its outcome over; a message of another one says when to read the
 * row. A repeat reads it at once, because its message may have come long ago.
 */
export async function startAndAwaitOutcome(
  world: World,
  waiting: WaitingCaller,
): Promise<Answered> {
  let woken = withResolvers<Answered | boolean>()
  let isTimeUp = false
  const forget = world.queues.replies.expect(waiting.id, (answer) => woken.resolve(answer ?? true))
  if (waiting.work === undefined) woken.resolve(true)
  else startWork(world, waiting, waiting.work)
  const end = () => {
    isTimeUp = true
    woken.resolve(false)
  }
  const timeUp = setTimeout(end, waiting.waitMs ?? world.config.chargeWaitMs)
  try {
    for (;;) {
      const answer = await woken.promise
      if (typeof answer === 'object') return answer
      if (!answer) break
      woken = withResolvers()
      const { status, body, decidedWithinMs, isLeftOpen } = await read(world, waiting)
      if (status !== 'PENDING' && body !== undefined) return { status, body }
      if (isTimeUp || (isLeftOpen && waiting.untilLeftOpen === true)) break
      if (takesDays(world, decidedWithinMs) || world.shutdown.isFinal) break
    }
    return await pendingAnswer(world, waiting)
  } finally {
    clearTimeout(timeUp)
    forget()
  }
}

/** True if the gateway has put off the deadline, as it does for a bank debit. */
function takesDays({ config }: World, decidedWithinMs: number): boolean {
  return decidedWithinMs > config.pendingDeadlineMs + MINUTE
}

/** Returns the payment as it was accepted: no worker hears of it before. */
export async function startAndAnswerPending(
  world: World,
  waiting: WaitingCaller,
): Promise<Answered> {
  try {
    return await pendingAnswer(world, waiting)
  } finally {
    if (waiting.work !== undefined) startWork(world, waiting, waiting.work)
  }
}

function startWork(world: World, { accountId, id, requestId }: WaitingCaller, work: FirstWork) {
  const replyTo = world.queues.replies.address
  world.queues.nudge(work, { accountId, id, requestId, replyTo })
}

/**
 * Returns the payment as it is. If it is still PENDING, its event is written first, so that the
 * caller can find it.
 */
async function pendingAnswer(world: World, waiting: WaitingCaller): Promise<Answered> {
  const row = await world.db.ask(findTransaction, waiting)
  if (row === undefined) throw lost(waiting)
  const pending =
    row.status === 'PENDING' ? await writePendingEvent(world, waiting, row) : undefined
  if (pending !== undefined) return { status: 'PENDING', body: pending }
  // The event exists already, or the payment was decided just now: then the row is the answer.
  const { status, body } = await read(world, waiting)
  if (body === undefined) throw lost(waiting)
  return { status, body }
}

/** Undefined if there is nothing to write. */
async function writePendingEvent(
  world: World,
  waiting: WaitingCaller,
  row: TransactionRow,
): Promise<string | undefined> {
  const { accountId, id, accountContext } = waiting
  if (row.referenceId !== null) {
    const parent = await announceFollowUp(world, accountContext, row)
    return parent && JSON.stringify(parent)
  }
  const snapshot = JSON.stringify(transactionView(row, accountContext))
  const announcement = { accountId, id, at: world.clock.now(), eventId: world.newId(), snapshot }
  const isAnnounced = await world.db.ask(announcePending, announcement)
  return isAnnounced && snapshot
}

async function read(world: World, key: RowKey): Promise<PaymentReply> {
  const outcome = await world.db.ask(readOutcome, key)
  if (outcome === undefined) throw lost(key)
  return outcome
}

function lost(key: RowKey): Error {
  return new Error(`the payment ${key.id} was accepted and is not there`)
}

/** The answer to a waiting caller: the status, and the text of the event that shows it. */
interface PaymentReply {
  readonly status: TransactionStatus
  /** JSON. Undefined while there is no event. */
  readonly body: string | undefined
  /** From its creation to its deadline. */
  readonly decidedWithinMs: number
  /** The gateway has it, and has not decided: its payer may be asked by a bank. */
  readonly isLeftOpen: boolean
}

/**
 * A repeat gets the answer of the first caller, even if the transaction has changed since. The
 * outcome of a capture, a void or a refund is in an event of its parent. Once that event is
 * deleted, the request's key has the answer.
 */
export const readOutcome = gatheredStatement({
  name: 'read-outcome',
  columns: { accountId: 'uuid', id: 'uuid' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, t.status,
      extract(epoch FROM t.deadline_at - t.created_at) * 1000 AS decided_within_ms,
      coalesce(t.owed = 'doubt' AND t.auth_id IS NOT NULL, false) AS is_left_open,
      coalesce(e.snapshot, (
        SELECT answer FROM idempotency
        WHERE account_id = t.account_id AND key = t.idempotency_id AND resource_id = t.id::text
      ))::text AS body
    FROM input i
    JOIN transaction t ON t.account_id = i.account_id AND t.id = i.id
    LEFT JOIN event e ON e.account_id = t.account_id
      AND e.resource_id = coalesce(t.reference_id, t.id)::text
      AND e.sequence = CASE WHEN t.reference_id IS NULL
        THEN coalesce(t.outcome_sequence, t.version) ELSE t.outcome_sequence END`,
  read: (row): PaymentReply => ({
    status: row.status,
    body: row.body ?? undefined,
    decidedWithinMs: Number(row.decided_within_ms ?? 0),
    isLeftOpen: row.is_left_open,
  }),
})

/**
 * Writes the event of a PENDING payment, once. Does nothing if the payment has just been decided.
 *
 * The caller has waited since its request came, and its clock may have been set meanwhile. The
 * event must not be dated back: a client that asks for the events since its last look would miss
 * it.
 */
export const announcePending = gatheredStatement({
  name: 'announce-pending',
  columns: {
    accountId: 'uuid',
    id: 'uuid',
    /** In real time. The statement converts it to the account's own time. */
    at: 'timestamptz',
    eventId: 'uuid',
    snapshot: 'json',
  },
  text: (input) => `
    WITH ${input}, ${HELD_CLOCKS},
    announced AS (
      UPDATE transaction t SET version = 1
      FROM input i LEFT JOIN clock c ON c.account_id = i.account_id
      WHERE t.account_id = i.account_id AND t.id = i.id AND t.status = 'PENDING' AND t.version = 0
      RETURNING i.ord, i.event_id, i.snapshot, coalesce(c.clock_at, i.at) AS at, t.account_id, t.id,
        t.request_id
    ),
    events AS (
      ${INSERT_EVENTS}
      SELECT account_id, event_id, 'create_transaction', id::text, 1, snapshot, request_id, at
      FROM announced
    )
    SELECT ord FROM announced`,
  read: () => true,
})

/**
 * The same for a capture, a void or a refund. These are answered with their parent, so this shows
 * the parent with its PENDING child. Undefined if the child has just been decided.
 */
async function announceFollowUp(
  world: World,
  accountContext: AccountContext,
  child: TransactionRow,
): Promise<TransactionView | undefined> {
  const { accountId, referenceId } = child
  assert(referenceId !== null, 'a capture, a void and a refund have a parent')
  const parentKey = { accountId, id: referenceId }
  return world.db.commit(transactionTurn(parentKey), async (query) => {
    const timed = accountContextOf(world, await holdClock(query, accountContext))
    const parent = await lockTransaction(query, parentKey)
    assert(parent !== undefined, 'transactions are never deleted')
    const [raised] = await query(RAISE_CHILD, [accountId, child.id])
    if (raised !== undefined) {
      const [raisedParent] = await query(RAISE_PARENT, [accountId, parent.id])
      assert(raisedParent !== undefined, 'the parent is held')
      const changed = { ...parent, ...readOwn(raisedParent) }
      return writeFamilyEvents(world, query, timed, changed, {
        ...child,
        ...readOwn(raised),
      })
    }
    const family = await familyOf(query, accountId, [parent])
    const isPending = family.some((one) => one.id === child.id && one.status === 'PENDING')
    return isPending ? transactionView(parent, timed, family) : undefined
  })
}

/**
 * Writes an event of the child and one of its parent, because the parent's children have changed.
 * Both show the state in this commit. Returns the parent as its event shows it.
 */
async function writeFamilyEvents(
  world: World,
  query: Query,
  accountContext: AccountContext,
  parent: TransactionRow,
  child: TransactionRow,
): Promise<TransactionView> {
  const family = await familyOf(query, accountContext.accountId, [parent])
  // The event comes later than the row, so the event's time becomes the time of the change.
  const atEvent = (one: Transaction) => ({ ...one, updatedAt: accountContext.now })
  const childView = transactionView(child, accountContext, family)
  await insertEvent(world, query, changeOf('create_transaction', atEvent(child), childView, child))
  const view = transactionView(parent, accountContext, family)
  await insertEvent(world, query, changeOf('update_transaction', atEvent(parent), view, child))
  return view
}

const RAISE_CHILD = `
  UPDATE transaction t SET version = 1
  WHERE account_id = $1 AND id = $2 AND status = 'PENDING' AND version = 0
  RETURNING ${OWN_COLUMNS}`

const RAISE_PARENT = `
  UPDATE transaction t SET version = ${versionAfterSql('version')}
  WHERE account_id = $1 AND id = $2
  RETURNING ${OWN_COLUMNS}`
