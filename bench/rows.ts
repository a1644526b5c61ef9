// The limit: what the database does if nothing is in its way. Each charge is the insert of its row and the update that
// makes it final, each a commit of its own, and nothing else: no queue, no gateway, no events, no idempotency keys.

import { type Child, startChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'

export interface RowWrites {
  readonly databaseUrl: string
  readonly accountId: string
  /** Taken in turn, one a connection. */
  readonly paymentMethods: readonly { readonly id: string; readonly customerId: string }[]
  readonly connections: number
  readonly ms: number
}

export interface RowsWritten {
  /** Of both writes together: a row inserted and updated counts once. */
  readonly perSecond: number
  /** Of the client, each. */
  readonly cpuMicros: number
}

/** By which the rows of this client are told from those of the service. */
export const ROWS_REQUEST_ID = 'bench-rows'

export function startRows(cleanups: Cleanups): Child<RowWrites, RowsWritten> {
  return startChild('rows-child.ts', [], cleanups)
}
