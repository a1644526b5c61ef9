// How many of a queue's jobs the rows of each account may keep under way in this process. A gateway
// that says nothing keeps every row that it was asked about waiting: one account must not have all
// places with such rows, for those of others wait behind them.

/** An account may have this part of what other accounts leave: the fuller, the less. */
const PART_OF_FREE = 0.5

export class Shares {
  readonly #atOnce: number
  readonly #places = new Map<string, number>()
  /** Rows by the instant at which they come back, the first one first. */
  readonly #putOff = new Map<string, Date>()
  #taken = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** False where the account has its share already; what was taken is to be left. */
  take(accountId: string): boolean {
    const own = this.#places.get(accountId) ?? 0
    const leftByOthers = this.#atOnce - (this.#taken - own)
    if (own >= Math.max(1, Math.floor(leftByOthers * PART_OF_FREE))) return false
    this.#places.set(accountId, own + 1)
    this.#taken += 1
    return true
  }

  /** False where the row comes back by itself already. */
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
