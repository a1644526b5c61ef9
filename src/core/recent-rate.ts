// The recent rate of an event: the best of the last seconds, because a machine that stalls for one
// second is no slower in the next.

import { SECOND } from './time-units.ts'

const SECONDS = 3

export class RecentRate {
  readonly #nowMs: () => number
  /** By second, as far back as anybody asks. */
  readonly #counts = new Map<number, number>()

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  add(): void {
    const second = this.#second()
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + 1)
    for (const past of this.#counts.keys()) {
      if (past + SECONDS > second) return
      this.#counts.delete(past)
    }
  }

  /** 0 where nothing has happened lately. */
  best(): number {
    const from = this.#second() - SECONDS
    let best = 0
    for (const [second, count] of this.#counts) if (second > from && count > best) best = count
    return best
  }

  #second(): number {
    return Math.floor(this.#nowMs() / SECOND)
  }
}
