// The sizes of the measurements. Each is bounded in time or in count, so a run always ends.

import { SECOND } from '../src/core/time-units.ts'

export interface Sizes {
  /** Rounds in turn: rows, charges, empty jobs, and again. The report shows their median. */
  readonly rounds: number
  readonly warmUpMs: number
  readonly rowsMs: number
  readonly chargesMs: number
  readonly overloadMs: number
  /** One caller of an idle service. */
  readonly aloneMs: number
  /** Charges that arrive evenly, few enough that the service idles between them. */
  readonly steadyMs: number
  /** The service without requests. */
  readonly idleMs: number
  /**
   * Under load, while the database counts statements: this part gives the counts, not the speed.
   */
  readonly countedMs: number
  readonly emptyJobsMs: number
  /** For each kind of read in a round. */
  readonly readsMs: number
  /** The number of transactions of the account whose lists and files are read. */
  readonly listed: number
  /** The number of transactions of the batch that is closed. */
  readonly batched: number
  readonly laterStarts: number
}

/** Each caller waits for its answer before its next request, as a merchant's server does. */
export const CALLERS = 64

/** Twice the rate of a large merchant, if the charges of its day came evenly. */
export const STEADY_PER_SECOND = 50

/** The usual number for pgbench; more gain nothing on few cores. */
export const ROW_CONNECTIONS = 32

export const FULL: Sizes = {
  rounds: 5,
  warmUpMs: 5 * SECOND,
  rowsMs: 4 * SECOND,
  chargesMs: 6 * SECOND,
  overloadMs: 10 * SECOND,
  aloneMs: 4 * SECOND,
  steadyMs: 10 * SECOND,
  idleMs: 20 * SECOND,
  countedMs: 3 * SECOND,
  emptyJobsMs: 3 * SECOND,
  readsMs: 3 * SECOND,
  listed: 200_000,
  batched: 200_000,
  laterStarts: 5,
}

/** All parts together take about five minutes on an idle machine of two cores. */
export const QUICK: Sizes = {
  rounds: 3,
  warmUpMs: 1 * SECOND,
  rowsMs: 0.5 * SECOND,
  chargesMs: 1 * SECOND,
  overloadMs: 1 * SECOND,
  aloneMs: 1 * SECOND,
  steadyMs: 3 * SECOND,
  idleMs: 5 * SECOND,
  countedMs: 0.8 * SECOND,
  emptyJobsMs: 0.4 * SECOND,
  readsMs: 0.4 * SECOND,
  listed: 30_000,
  batched: 30_000,
  laterStarts: 2,
}
