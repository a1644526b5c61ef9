// The load of waiting charges, from the side of who orders it.

import { type Child, startChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'

export interface Target {
  readonly address: string
  readonly key: string
}

export interface Callers {
  readonly target: Target
  /** Of several intakes, one a connection in turn; the target's own by default. */
  readonly addresses?: readonly string[]
  /** Taken in turn, one a connection. */
  readonly paymentMethods: readonly string[]
  readonly connections: number
  readonly ms: number
}

export interface Charged {
  /** Answers that were 200 with the final status. */
  readonly completed: number
  readonly others: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of the load generator itself. */
  readonly cpuMicros: number
}

export function startLoad(cleanups: Cleanups): Child<Callers, Charged> {
  return startChild('load-child.ts', [], cleanups)
}
