// Waits at the intake for what a worker, perhaps in another process, makes of a payment.

import type { TransactionStatus } from '../core/transaction.ts'
import type { World } from '../world.ts'
import { announcePending } from './announce-pending.ts'
import { findTransaction, type Outcome, readOutcome } from './read-payment.ts'
import type { RowKey } from './row-key.ts'
import { transactionView } from './transaction-view.ts'

export interface Waiting extends RowKey {
  /** The account's own time, where it has one. */
  readonly clockAt: Date | null
  /** Of a request that was accepted before. */
  readonly isRepeat: boolean
}

/** What the caller is answered: the transaction, as JSON. */
export interface Answered {
  readonly status: TransactionStatus
  readonly body: string
}

/**
 * The outcome, or the payment still PENDING when the time is up. A message tells when to look; a
 * repeat of a request looks at once, since it may have been told long ago.
 */
export async function awaitOutcome(world: World, waiting: Waiting): Promise<Answered> {
  const bell = new Bell()
  if (waiting.isRepeat) bell.ring()
  const forget = world.queues.replies.expect(waiting.id, () => bell.ring())
  const timeUp = setTimeout(() => bell.end(), world.config.chargeWaitMs)
  try {
    while (await bell.rung()) {
      const { status, body } = await read(world, waiting)
      if (status !== 'PENDING' && body !== undefined) return { status, body }
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
  const body = JSON.stringify(transactionView(row))
  if (row.status === 'PENDING' && (await announce(world, waiting, body))) {
    return { status: 'PENDING', body }
  }
  // Told before, or decided in this very moment: then that is the answer.
  const outcome = await read(world, waiting)
  return { status: outcome.status, body: outcome.body ?? body }
}

async function announce(world: World, waiting: Waiting, snapshot: string): Promise<boolean> {
  const { accountId, id } = waiting
  const at = world.accountNow(waiting)
  const announcement = { accountId, id, at, eventId: world.newId(), snapshot }
  const told = await world.db.ask(announcePending, announcement)
  return told === true
}

async function read(world: World, key: RowKey): Promise<Outcome> {
  const outcome = await world.db.ask(readOutcome, key)
  if (outcome === undefined) throw lost(key)
  return outcome
}

function lost(key: RowKey): Error {
  return new Error(`the payment ${key.id} was accepted and is not there`)
}

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
