// Every list of transactions is answered by indexes, in an account that has many among others that
// have more: neither all rows nor all rows of the account are looked at, and no more are sorted than
// make a page, or than are few. What is bounded is the pages of the database that are looked at, not
// the time: it stays the same whatever the size. LIST_ROWS fills the account with so many, the
// others with five times as many.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '../../src/payments/lists/export-transactions.ts'
import type { Listing } from '../../src/payments/lists/listing.ts'
import { idsAt, openWalk } from '../../src/payments/lists/walk.ts'
import { type Explained, explaining, mostSorted } from '../support/explained.ts'
import {
  listing,
  MANY,
  narrowedWishes,
  type PartialFilters,
  SORTED_BY,
  TALLIED,
} from '../support/listings.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { CROWDED, fillCrowd } from '../support/transaction-crowd.ts'

const ROWS = Number(process.env.LIST_ROWS ?? 20_000)

const TAKE = 50

/** Pages a row of a page: three look-ups down their keys, and what a run or the tally adds. */
const PAGES = 25 * TAKE

/** Of what is narrowed to few, each is looked at where it lies. */
const FEW = 10_000

let database: FreshDatabase
let client: pg.Client
let narrowed: Readonly<Record<string, PartialFilters>>

beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url, options: '-c TimeZone=UTC' })
  await client.connect()
  await fillCrowd(client, ROWS, 5 * ROWS)
  narrowed = await narrowedWishes(client)
}, 600_000)
afterAll(async () => {
  await client.end()
  await database.drop()
})

interface Answered {
  readonly total: number
  readonly ids: number
  readonly buffers: number
  readonly sorted: number
}

/** The whole of what is asked for a page, which must not hold a scan of a table. */
async function answered(asked: Listing, skip = 0): Promise<Answered> {
  const kept: Explained[] = []
  const query = explaining(client, kept)
  const walk = await openWalk(query, asked)
  const ids = await idsAt(query, walk, skip, TAKE)
  await rowsOf(query, CROWDED, ids)
  const nodes = kept.flatMap((statement) => statement.nodes)
  const scanned = nodes.filter((node) => node['Node Type'].endsWith('Seq Scan'))
  expect(scanned.map((node) => node['Relation Name'])).toEqual([])
  const buffers = kept.reduce((sum, statement) => sum + statement.buffers, 0)
  return { total: walk.total, ids: ids.length, buffers, sorted: mostSorted(nodes) }
}

const SORTS = SORTED_BY.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const])

describe('the first page', () => {
  it.each(Object.entries(TALLIED))('of %s reads little, and sorts nothing', async (_, wish) => {
    const { buffers, sorted } = await answered(listing(wish))
    expect(buffers).toBeLessThan(PAGES)
    expect(sorted).toBeLessThan(1_000)
  })

  it.each(SORTS)('by %s %s reads little, and sorts nothing', async (sort, order) => {
    for (const wish of [{}, { withChildren: true }, { status: 'FAILED' }] as const) {
      const { ids, buffers, sorted } = await answered(listing(wish, { sort, order }))
      expect(ids).toBe(TAKE)
      expect(buffers).toBeLessThan(PAGES)
      expect(sorted).toBeLessThan(1_000)
    }
  })
})

describe('a list that is narrowed', () => {
  it('to few reads no more than those', async () => {
    for (const [name, wish] of Object.entries(narrowed)) {
      const { total, buffers, sorted } = await answered(listing(wish))
      expect(buffers, name).toBeLessThan(2 * PAGES + 10 * total)
      expect(sorted, name).toBeLessThan(FEW)
    }
  })

  it.each(SORTS)('to few is sorted by %s %s without reading more', async (sort, order) => {
    for (const name of ['a customer', 'a batch', 'last four', "a customer's name"]) {
      const { total, buffers } = await answered(listing(narrowed[name] ?? {}, { sort, order }))
      expect(buffers, name).toBeLessThan(2 * PAGES + 10 * total)
    }
  })

  it.each(Object.entries(MANY))('to many, %s, counts them in an index', async (_, wish) => {
    const { total, ids, buffers, sorted } = await answered(listing(wish))
    expect(ids).toBe(TAKE)
    expect(buffers).toBeLessThan(2 * PAGES + total)
    expect(sorted).toBeLessThanOrEqual(FEW)
  })
})

describe('a page in the midst of the list', () => {
  it.each(['asc', 'desc'] as const)('by created_at %s is jumped to', async (order) => {
    const aDay = ROWS / 730
    const { ids, buffers } = await answered(listing({}, { order }), Math.floor(ROWS / 3))
    expect(ids).toBe(TAKE)
    expect(buffers).toBeLessThan(2 * PAGES + aDay)
  })

  it.each(SORTS)('by %s %s skips in indexes alone', async (sort, order) => {
    const skip = Math.floor(ROWS / 3)
    const { ids, buffers } = await answered(listing({}, { sort, order }), skip)
    expect(ids).toBe(TAKE)
    expect(buffers).toBeLessThan(2 * PAGES + skip)
  })

  it.each(SORTS)('is read from the end by %s %s where that is nearer', async (sort, order) => {
    const { total } = await answered(listing({}))
    const { ids, buffers } = await answered(listing({}, { sort, order }), total - 20)
    expect(ids).toBe(20)
    expect(buffers).toBeLessThan(PAGES)
  })
})

it('a scan would be noticed', async () => {
  const kept: Explained[] = []
  await explaining(client, kept)('SELECT id FROM transaction WHERE message = $1 ORDER BY message', [
    'x',
  ])
  expect(kept.flatMap(({ nodes }) => nodes.map((node) => node['Node Type']))).toContain('Seq Scan')
})
