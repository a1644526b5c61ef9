// Statements that end with the request that sent them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionShares, type Database, openDatabase } from '../../src/db/database.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { soon } from '../support/soon.ts'

/** Longer than any statement may take. */
const LONG = 'SELECT pg_sleep(60)'

const RUNNING = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'`

describe('a statement that is asked for until a signal', () => {
  let fresh: FreshDatabase
  let db: Database

  beforeAll(async () => {
    fresh = await freshDatabase()
    db = openDatabase(fresh.url, {
      name: 'test',
      connections: connectionShares(34),
      onError: () => {},
    })
  })
  afterAll(async () => {
    await db.close()
    await fresh.drop()
  })

  const running = async () => (await db.query(RUNNING)).length

  it('ends with it, in the database too', async () => {
    const [first, other] = [new AbortController(), new AbortController()]
    const asked = [first, other].map(({ signal }) => db.queryUntil(signal)(LONG))
    const outcomes = Promise.allSettled(asked)
    await soon(async () => expect(await running()).toBe(2))
    first.abort(new Error('enough'))
    await expect(asked[0]).rejects.toThrow('enough')
    await soon(async () => expect(await running()).toBe(1))
    other.abort(new Error('enough'))
    await outcomes
    await soon(async () => expect(await running()).toBe(0))
  })

  it('is not sent after it', async () => {
    const over = AbortSignal.abort(new Error('too late'))
    await expect(db.queryUntil(over)('SELECT 1')).rejects.toThrow('too late')
  })

  it('is answered, or refused, as any other before it', async () => {
    const query = db.queryUntil(new AbortController().signal)
    expect(await query('SELECT $1::integer AS one', [1])).toEqual([{ one: 1 }])
    await expect(query('SELECT 1 / 0')).rejects.toThrow('division by zero')
    const sizes = () => db.poolSizes().find(({ pool }) => pool === 'other')
    expect(sizes()?.busy).toBe(0)
  })

  it('of a snapshot sees what the first one saw, and ends with the signal', async () => {
    await db.query('CREATE TABLE grown (n integer)')
    const count = 'SELECT count(*)::integer AS count FROM grown'
    const seen = await db.snapshot(async (query) => {
      const before = await query(count)
      await db.query('INSERT INTO grown VALUES (1)')
      return [...before, ...(await query(count))]
    })
    expect(seen).toEqual([{ count: 0 }, { count: 0 }])
    expect(await db.query(count)).toEqual([{ count: 1 }])
    await expect(db.snapshot((query) => query('SELECT 1 / 0'))).rejects.toThrow('division by zero')
    const caller = new AbortController()
    const asked = db.snapshotUntil(caller.signal)((query) => query(LONG))
    const outcome = asked.catch((error) => error.message)
    await soon(async () => expect(await running()).toBe(1))
    caller.abort(new Error('enough'))
    expect(await outcome).toBe('enough')
    await soon(async () => expect(await running()).toBe(0))
    expect(db.poolSizes().find(({ pool }) => pool === 'other')?.busy).toBe(0)
  })
})
