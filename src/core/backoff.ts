// Retry delays. Doubling and jitter are separate functions, so that each can be tested.

export interface Backoff {
  readonly firstMs: number
  readonly mostMs: number
}

/** The wait after the given number of tries: first, twice that, four times that, up to the most. */
export function backoffMs(backoff: Backoff, tries: number): number {
  return Math.min(backoff.mostMs, backoff.firstMs * 2 ** Math.max(0, tries - 1))
}

/**
 * Up to a quarter later, never earlier: rows that failed together return at different times.
 * `random` is in [0, 1).
 */
export function withJitter(waitMs: number, random: number): number {
  return Math.round(waitMs * (1 + random / 4))
}
