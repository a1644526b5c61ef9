// The load of bare statements, as the parent process starts it.

import { type BenchChild, startBenchChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'

export interface SqlReads {
  readonly databaseUrl: string
  readonly text: string
  /** The values of each execution, in turn. */
  readonly values: readonly (readonly (string | null)[])[]
  readonly connections: number
  readonly ms: number
}

/** Returns how many a second. */
export function startSqlReads(cleanups: Cleanups): BenchChild<SqlReads, number> {
  return startBenchChild('sql-child.ts', [], cleanups)
}
