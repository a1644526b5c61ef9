// Waits at the intake for what a worker, perhaps in another process, makes of a payment.

import type { World } from '../world.ts'
import { announcePending } from './announce-pending.ts'
import { type Outcome, readOutcome } from './read-payment.ts'
import type { RowKey } from './row-key.ts'
import { transactionView } from './transaction-view.ts'

/** The outcome, or the payment still PENDING when the time is up. A message tells when to look. */
export async function awaitOutcome(world: World, key: RowKey, waitMs: number): Promise<Outcome> {
  const bell = new Bell()
  const forget = world.queues.replies.expect(key.id, () => bell.ring())
  const timeUp = setTimeout(() => bell.end(), waitMs)
  try {
    while (await bell.rung()) {
      const outcome = await read(world, key)
      if (outcome.row.status !== 'PENDING') return outcome
    }
    return await announced(world, key)
  } finally {
    clearTimeout(timeUp)
    forget()
  }
}

/**
 * The payment as it is, told of by an event if it is still PENDING: whoever is answered so will
 * find the event.
 */
export async function announced(world: World, key: RowKey): Promise<Outcome> {
  const outcome = await read(world, key)
  if (outcome.row.status !== 'PENDING') return outcome
  const isToldNow = await world.db.ask(announcePending, {
    ...key,
    at: world.clock.now(),
    eventId: world.newId(),
    snapshot: JSON.stringify(transactionView(outcome.row)),
  })
  // Told before, or decided in this very moment: then that is the answer.
  return isToldNow ? outcome : read(world, key)
}

async function read(world: World, key: RowKey): Promise<Outcome> {
  const outcome = await world.db.ask(readOutcome, key)
  if (outcome === undefined) throw new Error('a payment that was accepted is not there')
  return outcome
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
