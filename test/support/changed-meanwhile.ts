// A row that another connection changes after it was read, and before a request has locked it.

import pg from 'pg'
import { expect } from 'vitest'
import type { TestService } from './test-service.ts'

interface Change {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** Sends the request once the row is locked, and commits the change once the request waits. */
export async function changedMeanwhile<T>(
  service: TestService,
  { sql, values }: Change,
  send: () => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query(sql, [...values])
    // A request of fastify's `inject` is sent when it is first awaited.
    const answer = Promise.resolve(send()).then((one) => one)
    await isWaitedFor(service, client)
    await client.query('COMMIT')
    return await answer
  } finally {
    await client.end()
  }
}

/** Waits until another connection waits for the client's lock. */
async function isWaitedFor(service: TestService, client: pg.Client): Promise<void> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  const sql = 'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))'
  const waiting = async () => (await service.world.db.query(sql, [rows[0].pid])).length
  await expect.poll(waiting).toBe(1)
}
