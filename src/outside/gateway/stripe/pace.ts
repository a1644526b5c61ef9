// Spreads the requests to each endpoint of each Stripe account, so that Stripe refuses few of them.
// Each process has its own pace: what several send together, Stripe refuses with 429 above its
// limit, and the order is sent again later.

import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '../../../core/time-units.ts'
import { TooManyRequests } from '../port.ts'

/** A request that would wait longer is not sent: a worker's place is worth more. */
const MOST_WAIT_MS = 2 * SECOND

export class Pace {
  readonly #perSecond: number
  /** When the next request to an endpoint may be sent, in `performance.now()`. */
  readonly #next = new Map<string, number>()

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** Waits for the request's turn. A second's worth of requests may be sent at once. */
  async turn(endpoint: string, signal: AbortSignal): Promise<void> {
    const now = performance.now()
    const earliest = now - SECOND
    const turn = Math.max(this.#next.get(endpoint) ?? earliest, earliest) + SECOND / this.#perSecond
    if (turn - now > MOST_WAIT_MS) throw new TooManyRequests(`too many at once: ${endpoint}`)
    this.#next.set(endpoint, turn)
    this.#forgetIdle(earliest)
    if (turn > now) await pause(turn - now, undefined, { signal })
  }

  #forgetIdle(before: number): void {
    for (const [endpoint, turn] of this.#next) if (turn < before) this.#next.delete(endpoint)
  }
}
