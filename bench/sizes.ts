// How much is measured. Everything is bounded in time or in count, so a run ends by itself.

import { SECOND } from '../src/core/time-units.ts'

export interface Sizes {
  /** Rounds in turn: rows, charges, empty jobs, and again. What is reported is their median. */
  readonly rounds: number
  readonly warmUpMs: number
  readonly rowsMs: number
  readonly chargesMs: number
  readonly overloadMs: number
  /** One caller in an idle service. */
  readonly aloneMs: number
  /** Under load, with the database counting statements: the counts come from here, the speed does not. */
  readonly countedMs: number
  readonly emptyJobsMs: number
  /** Of each kind of read, a round. */
  readonly readsMs: number
  /** Transactions of the batch that is closed. */
  readonly batched: number
  readonly laterStarts: number
}

/** Each caller waits for its answer before it asks again, as a merchant's server does. */
export const CALLERS = 64

/** What pgbench is usually asked for; more gain nothing on few cores. */
export const ROW_CONNECTIONS = 32

export const FULL: Sizes = {
  rounds: 5,
  warmUpMs: 5 * SECOND,
  rowsMs: 4 * SECOND,
  chargesMs: 6 * SECOND,
  overloadMs: 10 * SECOND,
  aloneMs: 4 * SECOND,
  countedMs: 3 * SECOND,
  emptyJobsMs: 3 * SECOND,
  readsMs: 3 * SECOND,
  batched: 200_000,
  laterStarts: 5,
}

export const QUICK: Sizes = {
  rounds: 3,
  warmUpMs: 1.5 * SECOND,
  rowsMs: 1 * SECOND,
  chargesMs: 1.8 * SECOND,
  overloadMs: 5 * SECOND,
  aloneMs: 1 * SECOND,
  countedMs: 1 * SECOND,
  emptyJobsMs: 0.8 * SECOND,
  readsMs: 1 * SECOND,
  batched: 50_000,
  laterStarts: 3,
}
