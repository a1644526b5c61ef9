// Waits at the intake for what a worker, perhaps in another process, makes of a payment.

import type { TransactionStatus } from '../../core/transaction.ts'
import { gatheredStatement } from '../../db/gathered.ts'
import type { World } from '../../world.ts'
import type { AccountContext } from '../transaction/account-context.ts'
import { findTransaction } from '../transaction/find-transaction.ts'
import type { RowKey, TransactionRow } from '../transaction/transaction-row.ts'
import { transactionView } from '../transaction/transaction-view.ts'
import { announceFollowUp, announcePending } from './announce-pending.ts'

export interface Waiting extends RowKey {
  readonly accountContext: AccountContext
  /** Of a request that was accepted before. */
  readonly isRepeat: boolean
  /** How long the caller waits, where that is not what the settings say. */
  readonly waitMs?: number
}

/**
 * What the caller is answered, as JSON: the transaction, or where one was asked to be captured,
 * voided or refunded, that one with its children.
 */
export interface Answered {
  /** Of what was asked for. */
  readonly status: TransactionStatus
  readonly body: string
}

/**
 * The outcome, or the payment still PENDING when the time is up, or this process must end. A
 * message tells when to look; a repeat of a request looks at once, since it may have been told long
 * ago.
 */
export async function awaitOutcome(world: World, waiting: Waiting): Promise<Answered> {
  const bell = new Bell()
  if (waiting.isRepeat) bell.ring()
  const forget = world.queues.replies.expect(waiting.id, () => bell.ring())
  const timeUp = setTimeout(() => bell.end(), waiting.waitMs ?? world.config.chargeWaitMs)
  try {
    while (await bell.rung()) {
      const { status, body } = await read(world, waiting)
      if (status !== 'PENDING' && body !== undefined) return { status, body }
      if (world.ending.isHere) break
    }
    return await announced(world, waiting)
  } finally {
    clearTimeout(timeUp)
    forget()
  }
}

/**
 * The payment as it is, told of by an event if it is still PENDING: whoever is answered so will
 * find the event.
 */
export async function announced(world: World, waiting: Waiting): Promise<Answered> {
  const row = await world.db.ask(findTransaction, waiting)
  if (row === undefined) throw lost(waiting)
  const pending = row.status === 'PENDING' ? await announce(world, waiting, row) : undefined
  if (pending !== undefined) return { status: 'PENDING', body: pending }
  // Told before, or decided in this very moment: then that is the answer.
  const { status, body } = await read(world, waiting)
  if (body === undefined) throw lost(waiting)
  return { status, body }
}

/** Undefined where there is nothing to tell any more. */
async function announce(
  world: World,
  waiting: Waiting,
  row: TransactionRow,
): Promise<string | undefined> {
  const { accountId, id, accountContext } = waiting
  if (row.referenceId !== null) {
    const parent = await announceFollowUp(world, accountContext, row)
    return parent && JSON.stringify(parent)
  }
  const snapshot = JSON.stringify(transactionView(row, accountContext))
  const announcement = { accountId, id, at: accountContext.now, eventId: world.newId(), snapshot }
  const told = await world.db.ask(announcePending, announcement)
  return told && snapshot
}

async function read(world: World, key: RowKey): Promise<PaymentReply> {
  const outcome = await world.db.ask(readOutcome, key)
  if (outcome === undefined) throw lost(key)
  return outcome
}

function lost(key: RowKey): Error {
  return new Error(`the payment ${key.id} was accepted and is not there`)
}

/** What a caller who waits is told: how it stands, and the words in which an event told of it. */
interface PaymentReply {
  readonly status: TransactionStatus
  /** JSON. Undefined while nothing has been told. */
  readonly body: string | undefined
}

/**
 * What came since the outcome is not its answer: a repeat is told what the first caller was. The
 * outcome of a capture, a void or a refund was told by an event of its parent. Once that event is
 * forgotten, the key of the request has it.
 */
export const readOutcome = gatheredStatement<RowKey, PaymentReply>({
  name: 'read-outcome',
  columns: { accountId: 'uuid', id: 'uuid' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, t.status, coalesce(e.snapshot, (
        SELECT answer FROM idempotency
        WHERE account_id = t.account_id AND key = t.idempotency_id AND resource_id = t.id::text
      ))::text AS body
    FROM input i
    JOIN transaction t ON t.account_id = i.account_id AND t.id = i.id
    LEFT JOIN event e ON e.account_id = t.account_id
      AND e.resource_id = coalesce(t.reference_id, t.id)::text
      AND e.sequence = CASE WHEN t.reference_id IS NULL
        THEN coalesce(t.outcome_sequence, t.version) ELSE t.outcome_sequence END`,
  read: (row) => ({ status: row.status, body: row.body ?? undefined }),
})

/** Rings are not counted: one or many, they say «look now». */
class Bell {
  #hasRung = false
  #hasEnded = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#hasRung = true
    this.#wake?.()
  }

  end(): void {
    this.#hasEnded = true
    this.#wake?.()
  }

  /** True at the next ring, false at the end. */
  async rung(): Promise<boolean> {
    if (!this.#hasRung && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (!this.#hasRung) return false
    this.#hasRung = false
    return true
  }
}
