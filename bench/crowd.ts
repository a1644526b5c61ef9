// The load of callers who do not wait for each other, from the side of who orders it.

import { type Child, startChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'
import type { Target } from './load.ts'

export interface Crowd {
  readonly target: Target
  readonly paymentMethods: readonly string[]
  /** Arrivals, evenly. */
  readonly perSecond: number
  readonly ms: number
  /** A caller who has no answer by then has none. */
  readonly patienceMs: number
}

export interface CrowdAnswered {
  readonly sent: number
  /** Answers of 200 with the final status while charges arrived, but for the first of that time. */
  readonly servedPerSecond: number
  readonly pending: number
  /** 503. */
  readonly refused: number
  readonly others: number
  readonly unanswered: number
  /** From a charge's moment to its answer, of all that were accepted. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly refusedP99Ms: number
}

export function startCrowd(cleanups: Cleanups): Child<Crowd, CrowdAnswered> {
  return startChild('crowd-child.ts', [], cleanups)
}
