// Limits how many of a queue's jobs the rows of each account may hold in this process. A silent
// gateway keeps all of its rows waiting, and one account must not fill all places with such rows
// while others wait.

import { SECOND } from '../src/core/time-units.ts'
import type { RowItem } from '../src/queue/catalogue.ts'

/**
 * An account may use this part of the places that other accounts leave free, so it gets less in a
 * busy process.
 */
const PART_OF_FREE = 0.5

/** When the rows of an account beyond its share are looked at again. */
const PUT_OFF_MS = SECOND

/** The sweep finds further ones. */
const MOST_PUT_OFF = 4096

export class Shares {
  readonly #atOnce: number
  readonly #places = new Map<string, number>()
  /** Rows beyond the share of their account, by id. */
  readonly #putOff = new Map<string, RowItem>()
  #taken = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** False if the account has its share already. What was taken must be left again. */
  take(accountId: string): boolean {
    const own = this.#places.get(accountId) ?? 0
    const leftByOthers = this.#atOnce - (this.#taken - own)
    if (own >= Math.max(1, Math.floor(leftByOthers * PART_OF_FREE))) return false
    this.#places.set(accountId, own + 1)
    this.#taken += 1
    return true
  }

  /**
   * The row is sent back in a moment, together with all others: a gateway that is silent for a
   * minute can have thousands of them, and a job for each would delay the jobs of other accounts.
   */
  putOff(item: RowItem, sendBack: (item: RowItem) => void): void {
    if (this.#putOff.size === 0) setTimeout(() => this.#sendAllBack(sendBack), PUT_OFF_MS)
    if (this.#putOff.size < MOST_PUT_OFF) this.#putOff.set(item.id, item)
  }

  leave(accountId: string): void {
    const own = (this.#places.get(accountId) ?? 0) - 1
    if (own > 0) this.#places.set(accountId, own)
    else this.#places.delete(accountId)
    this.#taken -= 1
  }

  #sendAllBack(sendBack: (item: RowItem) => void): void {
    const items = [...this.#putOff.values()]
    this.#putOff.clear()
    items.forEach(sendBack)
  }
}
