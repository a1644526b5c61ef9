// Lists by any filters together hold the same rows in the same order as a reading of all rows, one
// by one.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CUSTOMERS } from '../../src/customers/list-customers.ts'
import { type DeclaredList, readPage } from '../../src/db/declared-list.ts'
import { INVOICES } from '../../src/invoices/list-invoices.ts'
import { ITEMS } from '../../src/items/list-items.ts'
import { LINKS } from '../../src/links/link.ts'
import { filledDatabase } from '../support/filled-database.ts'

const ACCOUNT = '01941f29-7c00-7000-8000-000000000001'
const OTHER = '01941f29-7c00-7000-8000-000000000002'

const ROWS = 250
const TAKE = 7

// biome-ignore lint/suspicious/noExplicitAny: rows as the database gives them
type PlainRow = Readonly<Record<string, any>>

/** Few letters, so that many rows match, and signs that have a meaning in a pattern. */
const text = fc
  .array(fc.constantFrom(...'aAbéÉ%_\\ 1'), { minLength: 1, maxLength: 4 })
  .map((letters) => letters.join(''))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 })
const instant = fc.integer({ min: 1, max: 9 }).map((day) => `2026-01-0${day}T00:00:00.000Z`)
const number = fc.integer({ min: 1, max: 5 })

const ROW = {
  account_id: fc.constantFrom(ACCOUNT, ACCOUNT, ACCOUNT, OTHER),
  id: fc.uuid({ version: 7 }),
  meta: fc.record({ reference: maybe(fc.oneof(text, number)) }, { requiredKeys: [] }),
  created_at: instant,
  updated_at: instant,
  deleted_at: fc.option(instant, { freq: 4 }),
  version: fc.constant(1),
}

const NAMES = ['firstname', 'lastname', 'company', 'email', 'phone', 'reference'] as const

const customers = fc.sample(
  fc.record({
    ...ROW,
    ...Object.fromEntries(NAMES.map((name) => [name, maybe(text)])),
    cc_emails: fc.constant([]),
    cc_sms: fc.constant([]),
  }),
  { numRuns: ROWS, seed: 1 },
)

interface Case {
  readonly table: string
  // biome-ignore lint/suspicious/noExplicitAny: each list has filters and sorts of its own
  readonly list: DeclaredList<any, string, { readonly id: string }, any>
  readonly rows: readonly PlainRow[]
  /** Filters that compare one column, in any case if it is text. */
  readonly equal: readonly string[]
  readonly searched: (row: PlainRow) => string
  /** A keyword that is the whole of one of these finds the row too. */
  readonly exact?: (row: PlainRow) => readonly unknown[]
}

function rowsOf(columns: Readonly<Record<string, fc.Arbitrary<unknown>>>): readonly PlainRow[] {
  return fc.sample(fc.record({ ...ROW, ...columns }), { numRuns: ROWS, seed: 2 })
}

const namesOf = (row: PlainRow) =>
  NAMES.flatMap((name) => (row[name] === null ? [] : [`${row[name]} `])).join('')

const customerOf = (row: PlainRow) => customers.find(({ id }) => id === row.customer_id) ?? {}

const CASES: readonly Case[] = [
  {
    table: 'customer',
    list: CUSTOMERS,
    rows: customers,
    equal: ['firstname', 'company', 'email'],
    searched: namesOf,
  },
  {
    table: 'item',
    list: ITEMS,
    rows: rowsOf({
      item: text,
      code: maybe(text),
      is_active: fc.boolean(),
      is_taxable: fc.boolean(),
      is_service: fc.boolean(),
    }),
    equal: ['code', 'is_active'],
    searched: ({ item, code }) => `${item}\n${code ?? ''}`,
  },
  {
    table: 'payment_link',
    list: LINKS,
    rows: rowsOf({
      id: fc.uuid().map((id) => id.replaceAll('-', '')),
      common_name: text,
      amount: maybe(number),
      active: fc.boolean(),
      link_meta: fc.record({ memo: text }, { requiredKeys: [] }),
      total_sales: number,
      total_transactions: number,
    }),
    equal: ['common_name', 'amount', 'active'],
    searched: ({ common_name, link_meta }) => `${common_name}\n${link_meta.memo ?? ''}`,
  },
  {
    table: 'invoice',
    list: INVOICES,
    rows: rowsOf({
      account_id: fc.constant(ACCOUNT),
      customer_id: fc.constantFrom(
        ...customers.flatMap((one) => (one.account_id === ACCOUNT ? [one.id] : [])),
      ),
      deleted_at: maybe(instant),
      total: number,
      total_paid: fc.constant(0),
      currency: fc.constant('USD'),
      token: fc.uuid().map((id) => id.replaceAll('-', '')),
      tries: fc.constant(0),
      request_id: fc.constant('r'),
      pay_by: maybe(instant),
    }).map((row) => ({ ...row, status: row.deleted_at === null ? 'SENT' : 'DELETED' })),
    equal: ['status', 'customer_id'],
    searched: (row) => namesOf(customerOf(row)),
    exact: ({ id, meta }) => [id, meta.reference],
  },
]

const { query } = filledDatabase(async (client) => {
  await client.query('SET session_replication_role = replica')
  for (const { table, rows } of CASES) {
    const columns = Object.keys(rows[0] ?? {}).join(', ')
    await client.query(
      `INSERT INTO ${table} (${columns})
       SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(rows)],
    )
  }
})

const world = { db: { query }, publicAddress: () => 'https://pay.example.com' }

type Asked = Readonly<Record<string, unknown>>

/** Most of the values are those of one row, so that the list is seldom empty. */
function askedOf({ rows, equal, searched, exact }: Case): fc.Arbitrary<Asked> {
  return fc.constantFrom(...rows).chain((row) => {
    const words = [searched(row), ...(exact?.(row) ?? [])].flatMap((word) =>
      word ? [`${word}`] : [],
    )
    const part = fc
      .tuple(fc.constantFrom(...words, 'a'), fc.nat(20), fc.constantFrom(1, 3, 40))
      .map(([word, at, length]) => word.slice(at % word.length).slice(0, length))
    const filters = Object.fromEntries(
      equal.map((name) => [name, fc.constant(row[name] ?? undefined)]),
    )
    const keywords = fc.array(part, { minLength: 1, maxLength: 3 })
    return fc.record({ ...filters, keywords }, { requiredKeys: [] })
  })
}

const lower = (value: unknown) => String(value).toLowerCase()

function isListed({ equal, searched, exact }: Case, row: PlainRow, asked: Asked): boolean {
  const { keywords = [] } = asked as { readonly keywords?: readonly string[] }
  return (
    row.account_id === ACCOUNT &&
    (row.deleted_at === null || asked.status === 'DELETED') &&
    equal.every((name) => asked[name] === undefined || lower(asked[name]) === lower(row[name])) &&
    keywords.every(
      (keyword) =>
        lower(searched(row)).includes(lower(keyword)) ||
        exact?.(row).some((one) => lower(one) === lower(keyword)),
    )
  )
}

describe('a list by any filters together', () => {
  it.each(CASES)('of rows of $table is exact', async (one) => {
    const orders = fc.record({
      sort: fc.constantFrom(...['created_at', 'updated_at'].filter((by) => by in one.list.sorts)),
      order: fc.constantFrom('asc' as const, 'desc' as const),
      skip: fc.constantFrom(0, 0, 3),
    })
    let found = 0
    await fc.assert(
      fc.asyncProperty(askedOf(one), orders, async (asked, page) => {
        const sign = page.order === 'asc' ? 1 : -1
        const expected = one.rows
          .filter((row) => isListed(one, row, asked))
          .map((row) => `${row[page.sort]} ${row.id}`)
          .sort((a, b) => (a < b ? -sign : sign))
          .map((place) => place.split(' ')[1])
        const part = { ...page, number: 1, take: TAKE }
        const { total, rows } = await readPage(world, one.list, ACCOUNT, part, asked)
        const ids = rows.map(({ id }) => id)
        expect([total, ids]).toEqual([expected.length, expected.slice(page.skip, page.skip + TAKE)])
        found += Math.sign(ids.length)
      }),
      { numRuns: 150 },
    )
    expect(found).toBeGreaterThan(5)
  })
})
