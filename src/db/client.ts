// One connection for a short task, outside any pool.

import pg from 'pg'
import { HOUR, SECOND } from '../core/time-units.ts'
import { classified } from './failure.ts'
import { OWN_SETTINGS, optionsOf } from './session-settings.ts'

const CONNECT_TIMEOUT_MS = 10 * SECOND

/**
 * Migrating a large table takes time, whatever limit its role has. A statement that takes longer
 * than this hangs.
 */
const STATEMENT_MS = HOUR

/** The idle time after which TCP checks that the other end still exists. */
const KEEP_ALIVE_MS = 10 * SECOND

export async function withClient<T>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_MS,
    statement_timeout: STATEMENT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    options: optionsOf(OWN_SETTINGS),
  })
  client.on('error', () => {}) // the statement under way fails with it
  try {
    await client.connect()
  } catch (error) {
    throw classified(error)
  }
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
