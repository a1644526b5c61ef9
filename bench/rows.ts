// The limit: the speed of the database without any other work. Each charge is the insert of its row
// and the update that makes it final, each a commit of its own: no queue, no gateway, no events, no
// idempotency keys.

import { type BenchChild, startBenchChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'

export interface RowWrites {
  readonly databaseUrl: string
  readonly accountId: string
  /** They are used in turn, one a connection. */
  readonly paymentMethods: readonly { readonly id: string; readonly customerId: string }[]
  readonly connections: number
  readonly ms: number
}

export interface RowsWritten {
  /** Both writes together: a row inserted and updated counts once. */
  readonly perSecond: number
  /** The processor time of the client for each row. */
  readonly cpuMicros: number
}

/** This id distinguishes the rows of this client from those of the service. */
export const ROWS_REQUEST_ID = 'bench-rows'

export function startRows(cleanups: Cleanups): BenchChild<RowWrites, RowsWritten> {
  return startBenchChild('rows-child.ts', [], cleanups)
}
