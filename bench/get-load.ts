// The load of readers, as the parent process starts it.

import { type BenchChild, startBenchChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'

export interface Readers {
  readonly address: string
  readonly key: string
  /** The paths that are requested in turn. */
  readonly paths: readonly string[]
  readonly connections: number
  readonly ms: number
}

export interface Read {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers that were not 200. */
  readonly others: number
}

export function startReaders(cleanups: Cleanups): BenchChild<Readers, Read> {
  return startBenchChild('get-child.ts', [], cleanups)
}
