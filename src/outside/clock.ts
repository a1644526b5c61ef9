// The only module that reads the time. All other code is passed an instant.

import type { Query } from '../db/database.ts'

export interface Clock {
  now(): Date
}

/** A clock that all processes on one database share, and the deviation of this host's own clock. */
export interface SharedClock extends Clock {
  /** Reads the database's time. Throws while the database is away. */
  measure(): Promise<void>
  /**
   * How far the host's clock is ahead; negative if it is behind. A change of the host's clock, or a
   * pause of the machine, shows at once.
   */
  skewMs(): number
  /** The database's time. `now()` is the same, unless a test has replaced it. */
  databaseNow(): Date
}

export interface SharedClockNeeds {
  readonly query: Query
  /** Reads the host's clock, in milliseconds since 1970. */
  readonly readHost?: (() => number) | undefined
}

const READ = 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms'

export const realClock: Clock = { now: () => new Date() }

/**
 * Follows the host's monotonic timer from the last reading of the database's clock. So a host whose
 * clock is wrong, or is set while the process runs, has the same time as all others. Until the
 * first reading it uses the host's clock.
 *
 * The database read its clock between our question and its answer, so the true time lies between
 * two bounds. Our time moves only to the nearer bound. An answer that took long has wide bounds and
 * moves nothing.
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
