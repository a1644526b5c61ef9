// The load of bare statements, from the side of who orders it.

import { type Child, startChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'

export interface SqlReads {
  readonly databaseUrl: string
  readonly text: string
  /** Of each question, asked in turn. */
  readonly values: readonly (readonly (string | null)[])[]
  readonly connections: number
  readonly ms: number
}

/** Answers how many a second. */
export function startSqlReads(cleanups: Cleanups): Child<SqlReads, number> {
  return startChild('sql-child.ts', [], cleanups)
}
