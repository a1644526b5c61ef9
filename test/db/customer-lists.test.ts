// Lists of customers use indexes, in an account with many rows among others with many: no sort
// sorts, and no filter or keyword reads the other rows.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CUSTOMERS } from '../../src/customers/list-customers.ts'
import { PAYMENT_METHODS } from '../../src/customers/list-payment-methods.ts'
import { customerMatches } from '../../src/customers/search.ts'
import { listStatements } from '../../src/db/declared-list.ts'
import { containing, type FilterValues } from '../../src/db/terms.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'

interface Plan {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly Plans?: readonly Plan[]
}

const ACCOUNT = '00000000-0000-7000-8000-000000000000'

/** Every fourth customer belongs to one account, the others to fifty. */
const FILL = `
  SET session_replication_role = replica;
  CREATE FUNCTION account_of(i integer) RETURNS uuid LANGUAGE sql RETURN
    ('00000000-0000-7000-8000-' || lpad((CASE WHEN i % 4 = 0 THEN 0 ELSE i % 50 + 1 END)::text, 12, '0'))::uuid;
  CREATE FUNCTION at(i integer) RETURNS timestamptz LANGUAGE sql RETURN
    timestamptz '2026-01-01Z' + i * interval '1 minute';
  INSERT INTO customer (account_id, id, firstname, lastname, company, email, phone, cc_emails,
      cc_sms, address_1, address_2, address_city, address_state, address_zip, address_country,
      notes, reference, meta, created_at, updated_at, deleted_at)
    SELECT account_of(i), gen_random_uuid(), 'First' || md5(i::text), 'Last' || i % 997,
      CASE WHEN i % 3 = 0 THEN 'Company ' || i % 499 END, i || '@example.com',
      '+1202555' || lpad(i::text, 5, '0'),
      CASE WHEN i % 8 = 0 THEN ARRAY['Cc' || i || '@example.com'] ELSE '{}' END,
      CASE WHEN i % 8 = 0 THEN ARRAY['+1203555' || i] ELSE '{}' END,
      i || ' Street', 'Floor ' || i, 'City ' || i % 499, 'S' || i % 251, 'Z' || i % 997,
      'C' || i % 251, repeat('note ', 800) || i, 'R-' || i, '{}', at(i), at(-i),
      CASE WHEN i % 11 = 0 THEN at(i) END
    FROM generate_series(1, 12000) i;
  INSERT INTO payment_method (account_id, id, customer_id, method, gateway_name, gateway_token,
      person_name, is_default, meta, created_at, updated_at)
    SELECT account_id, gen_random_uuid(), id, 'card', 'sandbox', 'tok_' || id, 'A B', true, '{}',
      created_at, updated_at FROM customer;
  SET session_replication_role = DEFAULT`

let database: FreshDatabase
let client: pg.Client

beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client(database.url)
  await client.connect()
  await client.query(FILL)
  await client.query('VACUUM ANALYZE')
}, 120_000)
afterAll(async () => {
  await client.end()
  await database.drop()
})

const FIRST = { skip: 0, take: 50, sort: 'created_at', order: 'desc' } as const

type Sort = keyof typeof CUSTOMERS.sorts

function statements(
  asked: FilterValues<typeof CUSTOMERS.filters>,
  sorted: { readonly sort?: Sort; readonly order?: 'asc' | 'desc' } = {},
) {
  const { values, ...texts } = listStatements(CUSTOMERS, ACCOUNT, { ...FIRST, ...sorted }, asked)
  return { count: { text: texts.count, values }, page: { text: texts.page, values } }
}

/** The nodes of the plan, from the top. */
async function planOf({ text, values }: { text: string; values: readonly unknown[] }) {
  const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, [...values])
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
}

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

const typesOf = (plan: readonly Plan[]) => plan.map((node) => node['Node Type'])
const indexesOf = (plan: readonly Plan[]) => plan.flatMap((node) => node['Index Name'] ?? [])

describe('customers', () => {
  const sorts = Object.keys(CUSTOMERS.sorts) as Sort[]
  const pages = sorts.flatMap((sort) =>
    (['asc', 'desc'] as const).map((order) => ({ sort, order })),
  )

  it.each(pages)('by $sort $order come sorted from an index', async ({ sort, order }) => {
    const plan = await planOf(statements({}, { sort, order }).page)
    expect(typesOf(plan)).toEqual(['Limit', 'Index Scan'])
    expect(indexesOf(plan)).toEqual([
      expect.stringMatching(new RegExp(`^customer_by_${sort}(_desc)?$`)),
    ])
  })

  const fields = Object.keys(CUSTOMERS.filters).filter((name) => name !== 'keywords')

  it.each(fields)('with one %s are looked up', async (name) => {
    const { rows: known } = await client.query(
      `SELECT * FROM customer
       WHERE account_id = $1 AND deleted_at IS NULL AND company <> '' AND cc_sms <> '{}' LIMIT 1`,
      [ACCOUNT],
    )
    const value = [known[0][name]].flat()[0]
    expect(value).toEqual(expect.any(String))
    const { count, page } = statements({ [name]: value.toUpperCase() })
    for (const statement of [count, page]) {
      expect(indexesOf(await planOf(statement))).toEqual([`customer_of_${name}`])
    }
    const { rows } = await client.query(count.text, [...count.values])
    expect(rows[0].total).toBeGreaterThan(0)
  })

  it.each(['4000@example', 'fIRSTc4ca', 'company 36', '20255504000', 'r-4000', 'c8b5 last'])(
    'in whom %j is found are looked up',
    async (keyword) => {
      const { count, page } = statements({ keywords: [keyword] })
      expect(indexesOf(await planOf(count))).toEqual(['customer_search'])
      expect(typesOf(await planOf(page))).not.toContain('Seq Scan')
    },
  )

  it("are searched among the account's own, with the deleted ones", async () => {
    const text = `SELECT c.id FROM customer c WHERE c.account_id = $1 AND ${customerMatches('c', '$2')}`
    const values = [ACCOUNT, containing('4004@example.com')]
    expect(indexesOf(await planOf({ text, values }))).toEqual(['customer_search'])
    expect((await client.query(text, values)).rows).toHaveLength(1)
    const { count } = statements({ keywords: ['4004@example.com'] })
    expect((await client.query(count.text, [...count.values])).rows).toEqual([{ total: 0 }])
  })

  it('are counted without those of other accounts', async () => {
    const plan = await planOf(statements({}).count)
    expect(typesOf(plan)).not.toContain('Seq Scan')
  })

  it('that are sorted or scanned would be noticed, as a control', async () => {
    const from = 'SELECT * FROM customer c WHERE account_id = $1 AND deleted_at IS NULL'
    const sorted = { text: `${from} ORDER BY phone, id LIMIT 50`, values: [ACCOUNT] }
    expect(typesOf(await planOf(sorted))).toContain('Sort')
    const like = { text: `SELECT * FROM customer WHERE phone LIKE '%4000'`, values: [] }
    expect(typesOf(await planOf(like))).toContain('Seq Scan')
  })
})

describe('payment methods', () => {
  it.each(['created_at', 'updated_at'] as const)(
    'by %s come sorted out of an index',
    async (sort) => {
      const newest = { ...FIRST, sort }
      const { page, values } = listStatements(PAYMENT_METHODS, ACCOUNT, newest, {})
      const plan = await planOf({ text: page, values })
      expect(typesOf(plan)).toEqual(['Limit', 'Index Scan'])
      expect(indexesOf(plan)).toEqual([`payment_method_by_${sort}`])
    },
  )
})
