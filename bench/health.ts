// A monitor beside a load, as the parent process starts it.

import { type BenchChild, startBenchChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'

export interface Monitor {
  readonly address: string
  /** The process that answers. */
  readonly pid: number
  readonly ms: number
}

export interface Health {
  readonly p99Ms: number
  readonly slowestMs: number
  /** Without the time for which the service or the monitor waited for a core of the machine. */
  readonly slowestOwnMs: number
  readonly failed: number
}

export function startMonitor(cleanups: Cleanups): BenchChild<Monitor, Health> {
  return startBenchChild('health-child.ts', [], cleanups)
}
