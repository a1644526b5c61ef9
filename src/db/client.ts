// One connection for a short while, outside any pool.

import pg from 'pg'
import { SECOND } from '../core/time-units.ts'
import { classified } from './failure.ts'

const CONNECT_TIMEOUT_MS = 10 * SECOND

export async function withClient<T>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: '-c TimeZone=UTC',
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
