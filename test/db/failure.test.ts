// Errors of the database, through each of our ways to call it: a server that cannot answer now is
// away, whatever the wrapper says; a wrong statement is not.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionShares, type Database, openDatabase } from '../../src/db/database.ts'
import { DatabaseAway, isDatabaseAway, sqlState, whyAway } from '../../src/db/failure.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'

const AWAY = [
  '08006',
  '25006',
  '25P03',
  '53100',
  '53200',
  '53300',
  '57P01',
  '57P03',
  '58030',
  '58P01',
]

const OURS = ['22003', '23514', '42P01', 'P0001']

const NOW = new Date()
const TEAM = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  name: 'Raised',
  createdAt: NOW,
  updatedAt: NOW,
}

const WAYS: readonly (readonly [name: string, ask: (db: Database) => Promise<unknown>])[] = [
  ['a query of Prisma', (db) => db.prisma.team.create({ data: TEAM })],
  ['a raw one', (db) => db.prisma.$queryRaw`INSERT INTO raised DEFAULT VALUES`],
  ['a statement', (db) => db.query('INSERT INTO raised DEFAULT VALUES')],
  ['a hot one', (db) => db.queryHot('raise', 'INSERT INTO raised DEFAULT VALUES')],
  ['a commit', (db) => db.commit('', (query) => query('INSERT INTO raised DEFAULT VALUES'))],
]

/** A trigger of both tables raises the error that it is given. */
const RAISE = `
  CREATE TABLE raised (id integer);
  CREATE TABLE planned (state text);
  CREATE FUNCTION raise() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION USING ERRCODE = (SELECT state FROM planned), MESSAGE = 'as planned';
  END $$;
  CREATE TRIGGER raise BEFORE INSERT ON raised FOR EACH ROW EXECUTE FUNCTION raise();
  CREATE TRIGGER raise BEFORE INSERT ON team FOR EACH ROW EXECUTE FUNCTION raise()`

describe.each(WAYS)('through %s', (_, ask) => {
  let fresh: FreshDatabase
  let db: Database

  beforeAll(async () => {
    fresh = await freshDatabase()
    db = openDatabase(fresh.url, {
      name: 'test',
      connections: connectionShares(34),
      onError: () => {},
    })
    await db.query(RAISE)
  })
  afterAll(async () => {
    await db.close()
    await fresh.drop()
  })

  async function raised(state: string): Promise<unknown> {
    await db.query('DELETE FROM planned')
    await db.query('INSERT INTO planned VALUES ($1)', [state])
    return ask(db).then(
      () => undefined,
      (error) => error,
    )
  }

  it.each(AWAY)('a server in state %s is away', async (state) => {
    expect(await raised(state)).toSatisfy(isDatabaseAway)
  })

  it.each(OURS)('a statement in state %s is at fault itself', async (state) => {
    const error = await raised(state)
    expect(sqlState(error) ?? error).toBe(state)
    expect(isDatabaseAway(error)).toBe(false)
  })
})

it('a full disk is distinguished from a database that is away', () => {
  const full = Object.assign(new pg.DatabaseError('no room', 0, 'error'), { code: '53100' })
  expect(whyAway(new DatabaseAway(full))).toBe("the database's disk is full")
  expect(whyAway(full)).toBe("the database's disk is full")
  expect(whyAway(new DatabaseAway(new Error('reset')))).toBe('the database is away')
})

it('a database without a connection left is distinguished, and the remedy is named', () => {
  const refused = Object.assign(new pg.DatabaseError('sorry', 0, 'error'), { code: '53300' })
  for (const error of [refused, new DatabaseAway(refused)]) {
    expect(whyAway(error)).toMatch(
      /^the database has no connection left: .* raise max_connections$/,
    )
  }
})
