// The statements of the database, as it counts them itself. The counter has a database of its own,
// so that the service's stays as its migrations made it.

import pg from 'pg'
import type { BenchDatabase } from './database.ts'

export interface Counted {
  readonly service: number
  /** Statements of BullMQ, if it uses this database. */
  readonly queue: number
}

export interface StatementCounter {
  count<T>(act: () => Promise<T>): Promise<{ readonly result: T; readonly counted: Counted }>
  close(): Promise<void>
}

/** BullMQ names its tables without a schema, and all of our statements are hot ones or Prisma's. */
const COUNTS = `
  SELECT coalesce(sum(s.calls), 0)::float AS all,
    coalesce(sum(s.calls) FILTER (WHERE s.query ~ 'WITH input AS|"public"|owed|clock_timestamp'), 0)::float AS service
  FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
  WHERE d.datname = $1`

/** Undefined if the server was not prepared for it. */
export async function openCounter(
  database: Pick<BenchDatabase, 'superuserUrl'>,
): Promise<StatementCounter | undefined> {
  const url = new URL(database.superuserUrl)
  const watched = url.pathname.slice(1)
  url.pathname = 'postgres'
  const client = new pg.Client(url.href)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('SHOW shared_preload_libraries')
  if (rows[0]?.shared_preload_libraries !== 'pg_stat_statements') {
    await client.end()
    return undefined
  }
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  await track(client, 'none')
  return {
    async count(act) {
      await track(client, 'top')
      await client.query('SELECT pg_stat_statements_reset()')
      const result = await act()
      const found = await client.query(COUNTS, [watched])
      await track(client, 'none')
      const { all, service } = found.rows[0]
      return { result, counted: { service, queue: all - service } }
    },
    close: () => client.end(),
  }
}

async function track(client: pg.Client, what: 'top' | 'none'): Promise<void> {
  await client.query(`ALTER SYSTEM SET pg_stat_statements.track = '${what}'`)
  await client.query('SELECT pg_reload_conf()')
}
