// Every list of transactions uses indexes, in an account with many rows among others with more: it
// reads neither all rows nor all rows of the account, and sorts no more than a page, or than a few.
// The test limits the pages of the database that are read, and not the time: they stay the same
// whatever the size. LIST_ROWS fills the account with this many rows, and the others with five
// times as many.

import { describe, expect, it } from 'vitest'
import type { Query } from '../../src/db/database.ts'
import { type Listing, OWNERS } from '../../src/payments/lists/listing.ts'
import { pageAt } from '../../src/payments/lists/page-at.ts'
import { idsAt, openWalk } from '../../src/payments/lists/walk.ts'
import { LAST_TRY } from '../../src/payments/record/outcome-effects.ts'
import {
  type Explained,
  explaining,
  indexesOf,
  mostSorted,
  nodesOf,
  type PlanNode,
} from '../support/explained.ts'
import { filledDatabase } from '../support/filled-database.ts'
import {
  listing,
  MANY,
  narrowedFilters,
  type PartialFilters,
  SORTED_BY,
  TALLIED,
} from '../support/listings.ts'
import { CROWDED, fillCrowd } from '../support/transaction-crowd.ts'

const ROWS = Number(process.env.LIST_ROWS ?? 20_000)

const TAKE = 50

/** Pages a row of a page: what a run or the tally reads of its indexes. */
const PAGES = 9 * TAKE

/** Rows of a narrow filter are each read where they lie. */
const FEW = 10_000

let narrowed: Readonly<Record<string, PartialFilters>>

const database = filledDatabase(async (client) => {
  await fillCrowd(client, ROWS, 5 * ROWS)
  narrowed = await narrowedFilters(client)
})

interface Answered {
  readonly total: number
  readonly ids: number
  readonly buffers: number
  readonly sorted: number
}

/**
 * All statements that find a page, of which none may scan a table. The tally of words has a hundred
 * pages here, about as many as its indexes lead to; what is read of it is among the buffers. The
 * rows of a page are then read by their keys, as plans.test.ts shows.
 */
async function answered(asked: Listing, skip = 0): Promise<Answered> {
  const kept: Explained[] = []
  const query = explaining(database.client, kept)
  const walk = await openWalk(query, asked)
  const ids = await idsAt(query, walk, skip, TAKE)
  const nodes = kept.flatMap((statement) => statement.nodes)
  const scanned = nodes
    .filter((node) => node['Node Type'].endsWith('Seq Scan'))
    .map((node) => node['Relation Name'])
  expect(scanned.filter((name) => name !== 'transaction_words')).toEqual([])
  const buffers = kept.reduce((sum, statement) => sum + statement.buffers, 0)
  return { total: walk.total, ids: ids.length, buffers, sorted: mostSorted(nodes) }
}

const SORTS = SORTED_BY.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const])

describe('the first page', () => {
  it.each(Object.entries(TALLIED))('of %s reads little, and sorts nothing', async (_, filters) => {
    const { buffers, sorted } = await answered(listing(filters))
    expect(buffers).toBeLessThan(PAGES)
    expect(sorted).toBeLessThan(1_000)
  })

  it.each(SORTS)('by %s %s reads little, and sorts nothing', async (sort, order) => {
    for (const filters of [{}, { withChildren: true }, { status: 'FAILED' }] as const) {
      const { ids, buffers, sorted } = await answered(listing(filters, { sort, order }))
      expect(ids).toBe(TAKE)
      expect(buffers).toBeLessThan(PAGES)
      expect(sorted).toBeLessThan(1_000)
    }
  })
})

describe('a filtered list', () => {
  it('of few rows reads no more than those', async () => {
    for (const [name, filters] of Object.entries(narrowed)) {
      const { total, buffers, sorted } = await answered(listing(filters))
      expect(buffers, name).toBeLessThan(3 * PAGES + 10 * total)
      expect(sorted, name).toBeLessThan(FEW)
    }
  })

  it.each(SORTS)('of few rows is sorted by %s %s without reading more', async (sort, order) => {
    for (const name of ['a customer', 'a batch', 'last four', "a customer's name"]) {
      const { total, buffers } = await answered(listing(narrowed[name] ?? {}, { sort, order }))
      expect(buffers, name).toBeLessThan(2 * PAGES + 10 * total)
    }
  })

  it.each(Object.entries(MANY))('of many rows, %s, counts them in an index', async (_, filters) => {
    const { total, ids, buffers, sorted } = await answered(listing(filters))
    expect(ids).toBe(TAKE)
    expect(buffers).toBeLessThan(2 * PAGES + total)
    expect(sorted).toBeLessThanOrEqual(FEW)
  })
})

it.each(['example.com', 'e'])(
  'by “%s”, which every customer has, reads no customer by itself',
  async (word) => {
    const kept: Explained[] = []
    const { total } = await openWalk(
      explaining(database.client, kept),
      listing({ keywords: [word] }),
    )
    const nodes = kept.flatMap((statement) => statement.nodes)
    const counting = nodes.filter((node) => node['Relation Name'] === 'transaction')
    expect(total).toBeGreaterThan(FEW)
    // The account has a thousand customers, and some twenty kinds.
    expect(Math.max(...counting.map((node) => node['Actual Loops']))).toBeLessThan(100)
    const compared = nodes.filter((node) => node['Group Key']?.includes('t.id'))
    expect(Math.max(0, ...compared.map((node) => node['Actual Rows']))).toBeLessThan(FEW)
  },
)

it('by a letter that many customers have, among rare payments, reads each customer once', async () => {
  const kept: Explained[] = []
  const query = explaining(database.client, kept)
  const walk = await openWalk(query, listing({ keywords: ['r'], method: 'cash' }))
  await idsAt(query, walk, 0, TAKE)
  const read = kept
    .flatMap((statement) => statement.nodes)
    .filter((node) => node['Relation Name'] === 'customer')
    .map((node) => {
      const removed = node['Rows Removed by Filter'] ?? 0
      return node['Actual Loops'] * (node['Actual Rows'] + removed)
    })
  // The account has a thousand customers, and a few hundred of these payments.
  expect(walk.total).toBeGreaterThan(TAKE)
  expect(Math.max(...read)).toBeLessThan(2_000)
})

/** The plans, for any value, of the statements that are prepared for a first page. */
async function preparedPlans(filters: PartialFilters): Promise<readonly (readonly PlanNode[])[]> {
  const plans: (readonly PlanNode[])[] = []
  const query: Query = async (text, values, name) => {
    if (name !== undefined) {
      const [row] = await database.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`)
      plans.push(nodesOf(row?.['QUERY PLAN'][0].Plan))
    }
    return database.query(text, values)
  }
  const snapshot = () => Promise.reject(new Error('the first page needs none'))
  await pageAt({ query, snapshot }, listing(filters), { skip: 0, take: TAKE })
  return plans
}

describe('a first page', () => {
  it.each(OWNERS.map((owner) => [owner] as const))(
    'of one %s is prepared, and by an index for any value',
    async (owner) => {
      const some = Object.values(narrowed).find(({ owners }) => owners?.[owner] !== undefined)
      const plans = await preparedPlans({ owners: some?.owners ?? {}, batchDay: some?.batchDay })
      expect(plans).toHaveLength(2)
      const scans = plans.flat().filter((node) => node['Relation Name'] === 'transaction')
      expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan')
      expect(scans.length).toBeGreaterThan(1)
    },
  )

  it('of the newest is prepared, and one of a range, a day or a keyword is not', async () => {
    expect(await preparedPlans({})).not.toEqual([])
    const planned = [...Object.values(MANY), TALLIED['a day'], { keywords: ['till'] }]
    for (const filters of planned) expect(await preparedPlans(filters ?? {})).toEqual([])
  })
})

describe('a page in the middle of the list', () => {
  it.each(['asc', 'desc'] as const)('is found directly by created_at %s', async (order) => {
    const aDay = ROWS / 730
    const { ids, buffers } = await answered(listing({}, { order }), Math.floor(ROWS / 3))
    expect(ids).toBe(TAKE)
    expect(buffers).toBeLessThan(2 * PAGES + aDay)
  })

  it.each(SORTS)('by %s %s skips rows in indexes alone', async (sort, order) => {
    const skip = Math.floor(ROWS / 3)
    const { ids, buffers } = await answered(listing({}, { sort, order }), skip)
    expect(ids).toBe(TAKE)
    expect(buffers).toBeLessThan(2 * PAGES + skip)
  })

  it.each(SORTS)('is read from the end by %s %s if that is nearer', async (sort, order) => {
    const { total } = await answered(listing({}))
    const { ids, buffers } = await answered(listing({}, { sort, order }), total - 20)
    expect(ids).toBe(20)
    expect(buffers).toBeLessThan(PAGES)
  })
})

it('the tries of an invoice are found by its index', async () => {
  const plan = await database.planOf(LAST_TRY, [CROWDED, CROWDED, 1, CROWDED])
  expect(indexesOf(plan)).toEqual(['transaction_of_invoice'])
})

it('a scan would be noticed', async () => {
  const kept: Explained[] = []
  await explaining(database.client, kept)(
    'SELECT id FROM transaction WHERE message = $1 ORDER BY message',
    ['x'],
  )
  expect(kept.flatMap(({ nodes }) => nodes.map((node) => node['Node Type']))).toContain('Seq Scan')
})

/** The last, since it leaves the former rows in the table. */
it('a list of a name and a total that many have reads those with the name', async () => {
  const total = 9_99n
  const { client } = database
  const named = narrowed["a customer's name"]
  await client.query('BEGIN')
  await client.query('SET LOCAL session_replication_role = replica')
  await client.query('UPDATE transaction SET total = $2 WHERE account_id = $1', [CROWDED, total])
  const found = await answered(listing({ ...named, least: total, most: total }))
  await client.query('ROLLBACK')
  expect(found.ids).toBeGreaterThan(0)
  expect(found.buffers).toBeLessThan(3 * PAGES + 10 * found.total)
})
