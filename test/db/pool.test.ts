// Statements that fail, and the connections that they were sent on.

import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../src/db/pool.ts'
import { silentConnections } from '../../src/db/silent-connections.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'

describe('a connection of a pool', () => {
  let fresh: FreshDatabase
  let pool: pg.Pool

  beforeAll(async () => {
    fresh = await freshDatabase()
    pool = openPool(fresh.url, {
      most: 1,
      name: 'test',
      statementTimeoutMs: 5_000,
      silent: silentConnections(),
      onError: () => {},
    })
  })
  afterAll(async () => {
    await pool.end()
    await fresh.drop()
  })

  const backend = async () => (await pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid

  it('is kept when the server refuses a statement: others wait for it', async () => {
    const before = await backend()
    await expect(pool.query('SELECT 1 / 0')).rejects.toThrow('division by zero')
    await expect(pool.query('SELECT $1::integer', ['no number'])).rejects.toThrow('invalid input')
    expect(await backend()).toBe(before)
  })

  it('is replaced when the server has ended it', async () => {
    const before = await backend()
    await expect(pool.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow()
    expect(await backend()).not.toBe(before)
  })
})
