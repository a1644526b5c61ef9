// Decides how many requests a subject may still make in its minute. Counters only count. The limit
// is compared here, because it differs by account and may change at any moment.

import type { Clock } from '../outside/clock.ts'
import { type RequestCounter, WINDOW_MS } from './counter.ts'

export interface LimitState {
  readonly isOver: boolean
  readonly left: number
  /** The time until the window ends. */
  readonly resetMs: number
}

export interface RequestLimits {
  /**
   * Counts one more request of the subject, at once even if its limit is still being read. If the
   * limit cannot be read, the request is given back.
   */
  count(subject: string, limit: number | Promise<number>): Promise<LimitState>
  /** Takes back a counted request that was within the limit. */
  giveBack(subject: string): Promise<void>
  /** Deletes ended windows. */
  forgetEnded(): Promise<void>
}

interface UsedUp {
  readonly limit: number
  readonly endsAtMs: number
}

/** Callers that continue although they are refused. Beyond this number the store is asked again. */
const MOST_REMEMBERED = 10_000

export function requestLimits(counter: RequestCounter, clock: Clock): RequestLimits {
  /** A window that is used up stays so, and refusals need no call to the store. */
  const usedUp = new Map<string, UsedUp>()

  function knownResetMs(subject: string, limit: number): number | undefined {
    const known = usedUp.get(subject)
    if (known === undefined) return undefined
    const resetMs = known.endsAtMs - clock.now().getTime()
    // Not if the limit has been raised, or a clock was set back.
    if (resetMs > 0 && resetMs <= WINDOW_MS && limit <= known.limit) return resetMs
    usedUp.delete(subject)
    return undefined
  }

  function remember(subject: string, limit: number, resetMs: number): void {
    const [oldest] = usedUp.keys()
    if (oldest !== undefined && usedUp.size >= MOST_REMEMBERED) usedUp.delete(oldest)
    usedUp.set(subject, { limit, endsAtMs: clock.now().getTime() + resetMs })
  }

  async function giveBack(subject: string): Promise<void> {
    usedUp.delete(subject)
    await counter.giveBack(subject)
  }

  return {
    async count(subject, given) {
      const early = usedUp.has(subject) ? undefined : counter.count(subject)
      const limit = await Promise.resolve(given).catch((error) => {
        // The request is refused, and its caller loses none of its requests for it.
        early?.then(() => giveBack(subject)).catch(() => {})
        throw error
      })
      const known = early === undefined ? knownResetMs(subject, limit) : undefined
      if (known !== undefined) return { isOver: true, left: 0, resetMs: known }
      const counted = await (early ?? counter.count(subject))
      const resetMs = Math.min(Math.max(counted.resetMs, 1), WINDOW_MS)
      if (counted.used >= limit) remember(subject, limit, resetMs)
      return { isOver: counted.used > limit, left: Math.max(0, limit - counted.used), resetMs }
    },
    giveBack,
    forgetEnded: () => counter.forgetEnded(),
  }
}
