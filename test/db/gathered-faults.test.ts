// Callers whose inputs are gathered into one statement, and one of them that makes it fail.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectionShares, type Database, openDatabase } from '../../src/db/database.ts'
import { gatheredStatement, type Row } from '../../src/db/gathered.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'

let fresh: FreshDatabase
let db: Database

beforeAll(async () => {
  fresh = await freshDatabase()
  db = openDatabase(fresh.url, {
    name: 'test',
    connections: connectionShares(34),
    onError: () => {},
  })
  await db.query('CREATE TABLE kept (name text PRIMARY KEY, at timestamptz)')
})
afterAll(async () => {
  await db.close()
  await fresh.drop()
})

interface Kept {
  readonly name: string
  readonly at: Date
}

const keep = gatheredStatement({
  name: 'keep',
  columns: { name: 'text', at: 'timestamptz' },
  text: (input) => `
    WITH ${input},
    kept AS (INSERT INTO kept SELECT name, at FROM input RETURNING name)
    SELECT i.ord, i.name FROM input i JOIN kept USING (name)`,
  read: ({ name }): string => name,
})

const at = new Date()

const BAD: readonly (readonly [what: string, input: Kept])[] = [
  ['an invalid date', { name: 'bad', at: new Date(Number.NaN) }],
  ['a text with a zero character', { name: 'ba\0d', at }],
  ['a text that is too long for an index', { name: randomBytes(9_000).toString('base64'), at }],
]

it.each(BAD)('%s fails its own caller only', async (what, input) => {
  const names = ['one', 'two', 'three'].map((name) => `${name} beside ${what}`)
  const [bad, ...others] = await Promise.allSettled(
    [input, ...names.map((name) => ({ name, at }))].map((one) => db.ask(keep, one)),
  )
  expect(bad?.status).toBe('rejected')
  expect(others).toEqual(names.map((value) => ({ status: 'fulfilled', value })))
})

it('inputs that are the same are sent once, if their statement says so', async () => {
  const definition = {
    columns: { word: 'text' },
    text: (input: string) =>
      `WITH ${input} SELECT i.ord, i.word, gen_random_uuid() AS id FROM input i`,
    read: ({ word, id }: Row) => ({ word, id }),
  } as const
  const each = gatheredStatement({ ...definition, name: 'each' })
  const once = gatheredStatement({ ...definition, name: 'once', sameBy: ({ word }) => word })
  const words = ['one', 'two', 'one', 'three', 'two', 'one']
  for (const [statement, ids] of [
    [each, 6],
    [once, 3],
  ] as const) {
    const found = await Promise.all(words.map((word) => db.ask(statement, { word })))
    expect(found.map((one) => one?.word)).toEqual(words)
    expect(new Set(found.map((one) => one?.id)).size).toBe(ids)
  }
})
