// Limits how many exports one process makes at once. Each holds a piece of its file until its
// reader has read it, so stalled readers must not add up, per account or in total.

import { setImmediate } from 'node:timers/promises'
import { Refusal } from './errors.ts'

/** A reader with more files than these to fetch can fetch them one after the other. */
const MOST_OF_AN_ACCOUNT = 4

/** At about a megabyte each, where every row has the largest `meta`. */
const MOST_IN_ALL = 32

export class ExportPlaces {
  readonly #ofAccount = new Map<string, number>()
  #taken = 0
  #lastTurn: Promise<void> = Promise.resolve()

  /** Returns a function that frees the place; calling it again does nothing. */
  take(accountId: string): () => void {
    const own = this.#ofAccount.get(accountId) ?? 0
    if (own >= MOST_OF_AN_ACCOUNT) throw new Refusal('too_many_exports')
    // The service is busy, which the caller cannot change.
    if (this.#taken >= MOST_IN_ALL) throw new Refusal('unavailable')
    this.#count(accountId, 1)
    let isTaken = true
    return () => {
      if (isTaken) this.#count(accountId, -1)
      isTaken = false
    }
  }

  /** Awaited before each piece, so that other requests are answered in between. */
  turn(): Promise<void> {
    this.#lastTurn = this.#lastTurn.then(() => setImmediate())
    return this.#lastTurn
  }

  #count(accountId: string, change: number): void {
    this.#taken += change
    const own = (this.#ofAccount.get(accountId) ?? 0) + change
    if (own === 0) this.#ofAccount.delete(accountId)
    else this.#ofAccount.set(accountId, own)
  }
}
