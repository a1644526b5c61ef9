// The connection of a commit ends between its statements: the caller gets an error, and the process
// lives.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionShares, type Database, openDatabase } from '../../src/db/database.ts'
import { isDatabaseAway } from '../../src/db/failure.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'

describe('a commit', () => {
  let fresh: FreshDatabase
  let db: Database
  let admin: pg.Client

  beforeAll(async () => {
    fresh = await freshDatabase()
    db = openDatabase(fresh.url, {
      name: 'test',
      connections: connectionShares(34),
      onError: () => {},
    })
    admin = new pg.Client(fresh.url)
    await admin.connect()
    await db.query('CREATE TABLE kept (word text)')
  })
  afterAll(async () => {
    await admin.end()
    await db.close()
    await fresh.drop()
  })

  const kept = async () => (await db.query('SELECT word FROM kept')).map(({ word }) => word)

  it('keeps all of its statements', async () => {
    await db.commit('kept', async (query) => {
      await query('INSERT INTO kept VALUES ($1)', ['one'])
      await query('INSERT INTO kept VALUES ($1)', ['two'])
    })
    expect(await kept()).toEqual(['one', 'two'])
  })

  it('that was cut off between two statements keeps none, and says that the database is away', async () => {
    const cutOff = db.commit('kept', async (query) => {
      await query('INSERT INTO kept VALUES ($1)', ['three'])
      const [own] = await query('SELECT pg_backend_pid() AS pid')
      // Waits until the server has ended the connection.
      await admin.query('SELECT pg_terminate_backend($1, 10000)', [own?.pid])
      await new Promise((resolve) => setImmediate(resolve))
      await query('INSERT INTO kept VALUES ($1)', ['four'])
    })
    await expect(cutOff).rejects.toSatisfy(isDatabaseAway)
    expect(await kept()).toEqual(['one', 'two'])
  })

  it('gets another connection afterwards', async () => {
    await db.commit('kept', (query) => query('INSERT INTO kept VALUES ($1)', ['five']))
    expect(await kept()).toEqual(['one', 'two', 'five'])
  })
})
