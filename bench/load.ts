// The load of waiting charges, as the parent process starts it.

import { type BenchChild, startBenchChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'

export interface Target {
  readonly address: string
  readonly key: string
}

export interface Callers {
  readonly target: Target
  /**
   * The addresses of several API servers, one a connection in turn; the target's own by default.
   */
  readonly addresses?: readonly string[]
  /** They are used in turn, one a connection. */
  readonly paymentMethods: readonly string[]
  readonly connections: number
  readonly ms: number
}

export interface ChargeFigures {
  /** The number of answers of 200 with the final status. */
  readonly completed: number
  readonly others: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** The processor time of the load generator itself. */
  readonly cpuMicros: number
}

export function startCallers(cleanups: Cleanups): BenchChild<Callers, ChargeFigures> {
  return startBenchChild('load-child.ts', [], cleanups)
}
