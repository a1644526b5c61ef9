// Lists of transactions, by whatever way they are read, hold what looking at all of them one by one
// says, in its order.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Query } from '../../src/db/database.ts'
import type { Listing } from '../../src/payments/lists/listing.ts'
import { idsAt, openWalk, placesAfter } from '../../src/payments/lists/walk.ts'
import {
  listing,
  MANY,
  narrowedWishes,
  type PartialFilters,
  SORTED_BY,
  TALLIED,
} from '../support/listings.ts'
import { allRows, type PlainRow, plainList } from '../support/plain-list.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { fillCrowd } from '../support/transaction-crowd.ts'

/** So many that a filter can leave more than are worth sorting. */
const OWN = 60_000
const OTHERS = 2_000

const TAKE = 37

let database: FreshDatabase
let client: pg.Client
let rows: readonly PlainRow[]
let narrowed: Readonly<Record<string, PartialFilters>>

const query: Query = async (text, values = []) => (await client.query(text, [...values])).rows

beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url, options: '-c TimeZone=UTC' })
  await client.connect()
  await fillCrowd(client, OWN, OTHERS)
  rows = await allRows(client)
  narrowed = {
    ...(await narrowedWishes(client)),
    'signs that nothing has': { keywords: ['%_\\'] },
    'a letter': { keywords: ['q'] },
  }
}, 120_000)
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** Its first page, one from the midst of either half, its last and the one after that. */
async function expectPages(asked: Listing): Promise<number> {
  const expected = plainList(rows, asked)
  const walk = await openWalk(query, asked)
  const { length } = expected
  expect(walk.total).toBe(length)
  const places = [0, 0.3, 0.8].map((part) => Math.floor(length * part))
  for (const skip of [...places, Math.max(0, length - 5), length]) {
    const found = await idsAt(query, walk, skip, TAKE)
    expect([skip, found]).toEqual([skip, expected.slice(skip, skip + TAKE)])
  }
  return length
}

describe('a list by kind and time', () => {
  it.each(Object.entries(TALLIED))('of %s is exact, whatever it is sorted by', async (_, wish) => {
    for (const sort of SORTED_BY) {
      await expectPages(listing(wish, { sort, order: 'desc' }))
      await expectPages(listing(wish, { sort, order: 'asc' }))
    }
  })
})

describe('a list that is narrowed', () => {
  it('to few is exact, whatever it is sorted by', async () => {
    for (const [name, wish] of Object.entries(narrowed)) {
      const isFound = !name.includes('that nothing has')
      for (const sort of SORTED_BY) {
        const found = await expectPages(listing(wish, { sort, order: 'asc' }))
        await expectPages(listing(wish, { sort, order: 'desc' }))
        expect([name, found > 0]).toEqual([name, isFound])
      }
    }
  }, 120_000)

  it.each(Object.entries(MANY))('to many, %s, is exact', async (_, wish) => {
    for (const sort of SORTED_BY) {
      await expectPages(listing(wish, { sort, order: 'asc' }))
      await expectPages(listing(wish, { sort, order: 'desc' }))
    }
  })
})

describe('a list that is read to its end, round by round,', () => {
  it.each(
    SORTED_BY.flatMap((sort) =>
      (['asc', 'desc'] as const).flatMap((order) =>
        [{}, { lastFour: '4242' }, MANY['at least a total'] ?? {}].map(
          (wish) => [sort, order, wish] as const,
        ),
      ),
    ),
  )('by %s %s holds all of it, each once (%o)', async (sort, order, wish) => {
    const asked = listing(wish, { sort, order })
    const walk = await openWalk(query, asked)
    const read: string[] = []
    for (const segment of walk.segments) {
      let places = await placesAfter(query, walk, segment, undefined, 4_999)
      while (places.length > 0) {
        read.push(...places.map(({ id }) => id))
        places = await placesAfter(query, walk, segment, places.at(-1), 4_999)
      }
    }
    expect(read).toEqual(plainList(rows, asked))
  })
})
