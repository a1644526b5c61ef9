// Statements that fail, and their connections.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../src/db/pool.ts'
import { silentConnections } from '../../src/db/silent-connections.ts'
import { type FreshDatabase, freshDatabase, queryAt } from '../support/postgres.ts'

describe('a connection of a pool', () => {
  let fresh: FreshDatabase
  let pool: pg.Pool

  beforeAll(async () => {
    fresh = await freshDatabase()
    pool = open(() => {})
  })
  afterAll(async () => {
    await pool.end()
    await fresh.drop()
  })

  function open(onError: (error: Error) => void): pg.Pool {
    const silent = silentConnections()
    return openPool(fresh.url, {
      most: 1,
      name: 'test',
      statementTimeoutMs: 5_000,
      silent,
      onError,
    })
  }

  const backend = async () => (await pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid

  it('is kept when the server refuses a statement, since others wait for it', async () => {
    const before = await backend()
    await expect(pool.query('SELECT 1 / 0')).rejects.toThrow('division by zero')
    await expect(pool.query('SELECT $1::integer', ['no number'])).rejects.toThrow('invalid input')
    expect(await backend()).toBe(before)
  })

  const isLinux = process.platform === 'linux'

  it.runIf(isLinux)('ends on the server if its client vanished during an answer', async () => {
    const { rows } = await pool.query('SHOW tcp_user_timeout')
    expect(rows).toEqual([{ tcp_user_timeout: '20000' }])
  })

  it.each([
    '2026-03-08 07:00:00+00',
    '2026-03-08 07:00:00.123+00',
    '2026-12-31 23:59:59.999999+00',
    '1883-11-18 17:00:00+00',
    '0001-01-01 00:00:00+00',
    '0044-03-15 12:00:00+00 BC',
    '12026-01-01 00:00:00.5+00',
  ])('reads the instant %s as `pg` does', async (text) => {
    const { rows } = await pool.query('SELECT $1::timestamptz AS at', [text])
    expect(rows[0].at).toEqual(pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)(text))
    expect(rows[0].at.getTime()).not.toBeNaN()
  })

  it('has our settings, whatever those of its database are', async () => {
    await pool.end()
    const foreign = [
      "DateStyle = 'SQL, DMY'",
      "TimeZone = 'Pacific/Apia'",
      "search_path = 'nowhere'",
      "default_transaction_isolation = 'serializable'",
    ]
    for (const setting of foreign) {
      await queryAt(
        fresh.url,
        `ALTER DATABASE ${new URL(fresh.url).pathname.slice(1)} SET ${setting}`,
      )
    }
    pool = open(() => {})
    const { rows } = await pool.query(
      `SELECT '2026-03-08 07:00:00Z'::timestamptz AS at, to_regclass('account')::text AS found,
         current_setting('transaction_isolation') AS level`,
    )
    const at = new Date('2026-03-08T07:00:00Z')
    expect(rows).toEqual([{ at, found: 'account', level: 'read committed' }])
  })

  it('is replaced when the server has ended it', async () => {
    const before = await backend()
    await expect(pool.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow()
    expect(await backend()).not.toBe(before)
  })

  it('is reported when it breaks, but not while its pool ends, because its server may end too', async () => {
    const errors: string[] = []
    const ending = open(({ message }) => errors.push(message))
    const breaking = async (message: string) => {
      const client = await ending.connect()
      client.release()
      return () => client.emit('error', new Error(message))
    }
    const first = await breaking('while it idles')
    first()
    const second = await breaking('terminating connection due to administrator command')
    const ended = ending.end()
    second()
    await ended
    expect(errors).toEqual(['while it idles'])
  })
})
