// A lock that a test holds until others wait for it.

import pg from 'pg'
import { expect } from 'vitest'
import { type Patience, soon } from './soon.ts'

export interface HeldLock {
  /** Until so many sessions wait for it, or for a session that waits for it. */
  untilWaiting(count: number, patience?: Patience): Promise<void>
  /** Commits what has locked it. */
  release(): Promise<void>
}

const WAITING = `
  WITH RECURSIVE held AS (
    SELECT pg_backend_pid() AS pid
    UNION SELECT a.pid FROM pg_stat_activity a JOIN held ON held.pid = ANY (pg_blocking_pids(a.pid))
  )
  SELECT FROM held WHERE pid <> pg_backend_pid()`

/** Runs the statement in a transaction that is open until the release. */
export async function holdLock(
  databaseUrl: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<HeldLock> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query('BEGIN')
  await client.query(statement, [...values])

  /** Within a transaction, PostgreSQL shows all sessions as they were when it was first asked. */
  async function waiting(): Promise<readonly unknown[]> {
    await client.query('SELECT pg_stat_clear_snapshot()')
    return (await client.query(WAITING)).rows
  }

  return {
    untilWaiting: (count, patience) =>
      soon(async () => expect(await waiting()).toHaveLength(count), patience),
    async release() {
      await client.query('COMMIT')
      await client.end()
    },
  }
}
