// Lists of transactions, read in any way, hold the same rows in the same order as a reading of all
// rows one by one.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Listing } from '../../src/payments/lists/listing.ts'
import { idsAt, idsInRounds, openWalk } from '../../src/payments/lists/walk.ts'
import { filledDatabase } from '../support/filled-database.ts'
import {
  listing,
  MANY,
  narrowedFilters,
  type PartialFilters,
  SORTED_BY,
  TALLIED,
} from '../support/listings.ts'
import { allRows, type PlainRow, plainList } from '../support/plain-list.ts'
import { randomListings } from '../support/random-listings.ts'
import { fillCrowd } from '../support/transaction-crowd.ts'

/** So many rows that a filter can leave more than can be sorted cheaply. */
const OWN = 60_000
const OTHERS = 2_000

const TAKE = 37

/** By each column, upwards and downwards. */
const ORDERS = SORTED_BY.flatMap((sort) =>
  (['asc', 'desc'] as const).map((order) => ({ sort, order })),
)

let rows: readonly PlainRow[]
let narrowed: Readonly<Record<string, PartialFilters>>

const { query } = filledDatabase(async (client) => {
  await fillCrowd(client, OWN, OTHERS)
  rows = await allRows(client)
  narrowed = {
    ...(await narrowedFilters(client)),
    'signs that nothing has': { keywords: ['%_\\'] },
    'a letter': { keywords: ['q'] },
  }
})

/** The first page, one in either half, the last one and the one after that. */
async function expectPages(asked: Listing, expected: readonly string[]): Promise<void> {
  const walk = await openWalk(query, asked)
  const { length } = expected
  expect(walk.total).toBe(length)
  const places = [0, 0.3, 0.8].map((part) => Math.floor(length * part))
  for (const skip of [...places, Math.max(0, length - 5), length]) {
    const found = await idsAt(query, walk, skip, TAKE)
    expect([skip, found]).toEqual([skip, expected.slice(skip, skip + TAKE)])
  }
}

/** Returns how many there are. */
async function expectOrders(filters: PartialFilters, orders = ORDERS): Promise<number> {
  const plain = plainList(rows, listing(filters).filters)
  for (const { sort, order } of orders) {
    await expectPages(listing(filters, { sort, order }), plain(sort, order))
  }
  return plain('created_at', 'asc').length
}

describe('a list by kind and time', () => {
  it.each(Object.entries(TALLIED))('of %s is exact in every order', async (_, filters) => {
    await expectOrders(filters)
  })
})

describe('a filtered list', () => {
  // Few rows are sorted after they were found: each filter takes its turn with a quarter of the
  // orders.
  it('of few rows is exact in every order', async () => {
    for (const [index, [name, filters]] of Object.entries(narrowed).entries()) {
      const isFound = !name.includes('that nothing has')
      const orders = ORDERS.filter((_, at) => at % 4 === index % 4)
      const found = await expectOrders(filters, orders)
      expect([name, found > 0]).toEqual([name, isFound])
    }
  }, 120_000)

  it.each(Object.entries(MANY))('of many rows, %s, is exact', async (_, filters) => {
    await expectOrders(filters)
  })
})

describe('a list by any filters together', () => {
  it('is exact, or empty if no row passes all of them', async () => {
    await fc.assert(
      fc.asyncProperty(randomListings(rows), async (asked) => {
        await expectPages(asked, plainList(rows, asked.filters)(asked.sort, asked.order))
      }),
      { numRuns: 100 },
    )
  }, 120_000)
})

describe('a list that is read to its end, page by page,', () => {
  it.each(
    ORDERS.flatMap(({ sort, order }) =>
      [{}, { lastFour: '4242' }, MANY['at least a total'] ?? {}].map(
        (filters) => [sort, order, filters] as const,
      ),
    ),
  )('by %s %s holds every row once (%o)', async (sort, order, filters) => {
    const asked = listing(filters, { sort, order })
    const read: string[] = []
    for await (const ids of idsInRounds(query, asked)) read.push(...ids)
    expect(read).toEqual(plainList(rows, asked.filters)(sort, order))
  })
})
