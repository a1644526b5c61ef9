// Lanes that are left alone for a while, longer each time, because nobody answers there.

import { type Backoff, backoffMs } from '../core/backoff.ts'
import { after, MINUTE, SECOND } from '../core/time-units.ts'

/** Whoever is silent holds a place for as long as he may; so he is asked seldom. */
const REST: Backoff = { firstMs: SECOND, mostMs: MINUTE }

export class Rests {
  readonly #silences = new Map<string, { readonly inARow: number; readonly until: Date }>()

  /** Those that have been silent since their last answer, resting or not. */
  get lanes(): Iterable<string> {
    return this.#silences.keys()
  }

  /** What was taken before that was known need not find out as well. */
  isResting(lane: string, now: Date): boolean {
    const silence = this.#silences.get(lane)
    return silence !== undefined && silence.until > now
  }

  hasAnswered(lane: string): void {
    this.#silences.delete(lane)
  }

  /** Answers until when the lane rests. Those that were on their way together count once. */
  wasSilent(lane: string, now: Date): Date {
    const before = this.#silences.get(lane)
    if (before !== undefined && before.until > now) return before.until
    const inARow = (before?.inARow ?? 0) + 1
    const until = after(now, backoffMs(REST, inARow))
    this.#silences.set(lane, { inARow, until })
    return until
  }
}
