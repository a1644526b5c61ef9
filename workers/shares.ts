// Limits how many of a queue's jobs the rows of each account may hold in this process. A silent
// gateway keeps all of its rows waiting, and one account must not fill all places with such rows
// while others wait.

/**
 * An account may use this part of the places that other accounts leave free, so it gets less in a
 * busy process.
 */
const PART_OF_FREE = 0.5

export class Shares {
  readonly #atOnce: number
  readonly #places = new Map<string, number>()
  /** Rows by the instant at which they return, the earliest first. */
  readonly #putOff = new Map<string, Date>()
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

  /** False if the row already returns at some instant. */
  putOff(id: string, now: Date, until: Date): boolean {
    for (const [other, at] of this.#putOff) {
      if (at > now) break
      this.#putOff.delete(other)
    }
    if (this.#putOff.has(id)) return false
    this.#putOff.set(id, until)
    return true
  }

  leave(accountId: string): void {
    const own = (this.#places.get(accountId) ?? 0) - 1
    if (own > 0) this.#places.set(accountId, own)
    else this.#places.delete(accountId)
    this.#taken -= 1
  }
}
