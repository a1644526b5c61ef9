// The only module that reads the time. All other code is passed an instant.

import type { Query } from '../db/database.ts'

export interface Clock {
  now(): Date
}

/** A clock that all processes on one database share, and how far this host's own is from it. */
export interface SharedClock extends Clock {
  /** Asks the database what time it is. Throws while the database is away. */
  measure(): Promise<void>
  /**
   * How far the host's clock is ahead at this moment; behind is negative. It shows at once where
   * that was set, or the machine stood still, since the last measure.
   */
  skewMs(): number
  /** The database's time. `now()` is the same, but where a test has put another in its place. */
  databaseNow(): Date
}

export interface SharedClockNeeds {
  readonly query: Query
  /** What the host's clock says, in milliseconds since 1970. */
  readonly readHost?: (() => number) | undefined
}

const READ = 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms'

export const realClock: Clock = { now: () => new Date() }

/**
 * Goes by the host's monotonic timer from what the database's clock said last, so a host whose
 * clock is wrong, or is set while the process runs, has the same time as all others. Until the
 * first measure it is the host's.
 *
 * The database read its clock between our question and its answer, so the time is known to lie
 * between two bounds. It is moved no further than to the nearer one: an answer that took long
 * bounds little, and moves nothing.
 */
export function sharedClock({ query, readHost = hostMs }: SharedClockNeeds): SharedClock {
  let offsetMs: number | undefined
  const nowMs = () => (offsetMs === undefined ? readHost() : performance.now() + offsetMs)
  const databaseNow = () => new Date(nowMs())
  return {
    now: databaseNow,
    databaseNow,
    async measure() {
      const askedMs = performance.now()
      const [row] = await query(READ)
      const theirsMs = Number(row?.ms)
      const leastMs = theirsMs - performance.now()
      const mostMs = theirsMs - askedMs
      offsetMs ??= readHost() - performance.now()
      offsetMs = Math.min(Math.max(offsetMs, leastMs), mostMs)
    },
    skewMs: () => Math.round(readHost() - nowMs()),
  }
}

const hostMs = () => Date.now()

/** An account's own time: the real one, unless a sandbox account has set its clock. */
export function accountNow(clock: Clock, account: { readonly clockAt: Date | null }): Date {
  return account.clockAt ?? clock.now()
}
