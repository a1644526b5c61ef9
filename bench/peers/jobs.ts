// What each library has to do here: take the id of a charge whose row is being written, and carry out
// the work for it once that row is committed.

import type pg from 'pg'

export interface Jobs {
  /** Called in the transaction that writes the row. */
  enqueue(client: pg.ClientBase, id: string): Promise<unknown>
  /** Called after the commit. */
  committed(id: string): Promise<unknown> | undefined
}

export interface Stores {
  readonly databaseUrl: string
  readonly redisUrl: string
}

export type Work = (id: string) => Promise<void>

export type OpenJobs = (stores: Stores, work: Work) => Promise<Jobs>

export const QUEUE = 'charge'

/** As many as there are callers, so that no library is held back by its settings. */
export const CONCURRENCY = 64
