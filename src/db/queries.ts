// SQL statements on a few connections, without Prisma. Loading Prisma and its query compiler takes
// longer than everything else that a command does.

import { SECOND } from '../core/time-units.ts'
import type { Prisma } from '../generated/client.ts'
import type { Database, Query } from './database.ts'
import { classified } from './failure.ts'
import { openPool } from './pool.ts'
import { silentConnections } from './silent-connections.ts'

/** A command sends one statement after the other. */
const CONNECTIONS = 2

const TIMEOUT_MS = 30 * SECOND

const LOCK_TIMEOUT_MS = 5 * SECOND

/** The query for a statement in the commit of a Prisma transaction, or in its own. */
export function queryIn(tx: Prisma.TransactionClient | undefined, db: Pick<Database, 'query'>) {
  if (tx === undefined) return db.query
  const query: Query = (text, values = []) => tx.$queryRawUnsafe(text, ...values)
  return query
}

export interface Queries {
  readonly query: Query
  close(): Promise<void>
}

export function openQueries(databaseUrl: string, onError: (error: Error) => void): Queries {
  const pool = openPool(databaseUrl, {
    name: 'lamplighter',
    silent: silentConnections(),
    most: CONNECTIONS,
    statementTimeoutMs: TIMEOUT_MS,
    settings: { lock_timeout: LOCK_TIMEOUT_MS },
    onError,
  })
  return {
    async query(text, values = []) {
      try {
        return (await pool.query({ text, values: [...values] })).rows
      } catch (error) {
        throw classified(error)
      }
    },
    close: () => pool.end(),
  }
}
