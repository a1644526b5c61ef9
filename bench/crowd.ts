// The load of callers that do not wait for each other, as the parent process starts it.

import { type BenchChild, startBenchChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'
import type { Target } from './load.ts'

export interface Crowd {
  readonly target: Target
  readonly paymentMethods: readonly string[]
  /** The keys of their accounts, one for each; the target's key by default. */
  readonly keys?: readonly string[]
  /** One for each connection in turn; the target's own by default. */
  readonly addresses?: readonly string[]
  /** The number of charges that arrive, evenly. */
  readonly perSecond: number
  readonly ms: number
  /** A caller gives up after this time. */
  readonly patienceMs: number
}

export interface CrowdAnswered {
  readonly sent: number
  /**
   * Answers of 200 with the final status while charges arrived, without the first part of that
   * time.
   */
  readonly servedPerSecond: number
  readonly pending: number
  /** Answers of 503. */
  readonly refused: number
  readonly others: number
  readonly unanswered: number
  /** The time from a charge's moment to its answer, for all accepted charges. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly refusedP99Ms: number
}

export function startCrowd(cleanups: Cleanups): BenchChild<Crowd, CrowdAnswered> {
  return startBenchChild('crowd-child.ts', [], cleanups)
}
