// Lists of customers use indexes, in an account with many rows among others with many: no sort
// sorts, and no filter or keyword reads the other rows.

import { describe, expect, it } from 'vitest'
import { IS_OVER, NEEDED } from '../../src/customers/forget-deleted-methods.ts'
import { CUSTOMERS } from '../../src/customers/list-customers.ts'
import { PAYMENT_METHODS } from '../../src/customers/payment-method.ts'
import { customerMatches } from '../../src/customers/search.ts'
import { ANOTHER_TOKEN } from '../../src/customers/token-owner.ts'
import { listStatements } from '../../src/db/declared-list.ts'
import { containing, type FilterValues } from '../../src/db/terms.ts'
import { DAYS } from '../../src/settlement/reconcile.ts'
import { type Explained, explaining, indexesOf, typesOf } from '../support/explained.ts'
import { filledDatabase, plansOfList } from '../support/filled-database.ts'

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
  SET session_replication_role = DEFAULT;
  VACUUM ANALYZE`

const database = filledDatabase(FILL)
const { planOf, query } = database
const listPlan = plansOfList(database, CUSTOMERS, ACCOUNT)

type Sort = keyof typeof CUSTOMERS.sorts

/** How many customers a list has in all. */
async function totalOf(asked: FilterValues<typeof CUSTOMERS.filters>): Promise<number> {
  const page = { skip: 0, take: 50, sort: 'created_at', order: 'desc' } as const
  const { count, values } = listStatements(CUSTOMERS, ACCOUNT, page, asked)
  const [row] = await query(count, values)
  return row?.total
}

describe('customers', () => {
  const sorts = Object.keys(CUSTOMERS.sorts) as Sort[]
  const pages = sorts.flatMap((sort) =>
    (['asc', 'desc'] as const).map((order) => ({ sort, order })),
  )

  it.each(pages)('by $sort $order come sorted from an index', async ({ sort, order }) => {
    const plan = await listPlan('page', {}, { sort, order })
    expect(typesOf(plan)).toEqual(['Limit', 'Index Scan'])
    expect(indexesOf(plan)).toEqual([
      expect.stringMatching(new RegExp(`^customer_by_${sort}(_desc)?$`)),
    ])
  })

  it.each(pages)('of a far page by $sort $order are skipped in an index', async (order) => {
    const page = { skip: 2_000, take: 50, ...order }
    const { page: text, values } = listStatements(CUSTOMERS, ACCOUNT, page, {})
    const kept: Explained[] = []
    expect(await explaining(database.client, kept)(text, values)).toHaveLength(50)
    const [{ nodes = [], buffers = 0 } = {}] = kept
    expect(typesOf(nodes)).toContain('Index Only Scan')
    // Each row of the page is a look-up; each customer here has pages of its own.
    expect(buffers).toBeLessThan(500)
  })

  const fields = Object.keys(CUSTOMERS.filters).filter((name) => name !== 'keywords')

  it.each(fields)('with one %s are looked up', async (name) => {
    const [known] = await query(
      `SELECT * FROM customer
       WHERE account_id = $1 AND deleted_at IS NULL AND company <> '' AND cc_sms <> '{}' LIMIT 1`,
      [ACCOUNT],
    )
    const value = [known?.[name]].flat()[0]
    expect(value).toEqual(expect.any(String))
    const asked = { [name]: value.toUpperCase() }
    for (const which of ['count', 'page'] as const) {
      expect(indexesOf(await listPlan(which, asked))).toEqual([`customer_of_${name}`])
    }
    expect(await totalOf(asked)).toBeGreaterThan(0)
  })

  /** Of notes only the beginning is compared by index, and here all begin alike. */
  const whole = fields.filter((name) => name !== 'notes')

  it.each(whole)('with one %s are known to be few', async (name) => {
    const [known] = await query(
      `SELECT ${name} AS value FROM customer
       WHERE account_id = $1 AND deleted_at IS NULL AND company <> '' AND cc_sms <> '{}' LIMIT 1`,
      [ACCOUNT],
    )
    const asked = { [name]: [known?.value].flat()[0] }
    const [count] = (await listPlan('count', asked)).slice(-1)
    // Where they are taken for many, a large account is read in the order of the list instead.
    expect(count?.['Plan Rows']).toBeLessThanOrEqual(2 * (await totalOf(asked)) + 1)
  })

  it.each(['zqx', 'desk'])('in whom %j is found are known to be few', async (keyword) => {
    const [, count] = await listPlan('count', { keywords: [keyword] })
    expect(count?.['Plan Rows']).toBeLessThanOrEqual(2)
  })

  it.each(['4000@example', 'fIRSTc4ca', 'company 36', '20255504000', 'r-4000', 'c8b5 last'])(
    'in whom %j is found are looked up',
    async (keyword) => {
      const asked = { keywords: [keyword] }
      expect(indexesOf(await listPlan('count', asked))).toEqual(['customer_search'])
      expect(typesOf(await listPlan('page', asked))).not.toContain('Seq Scan')
    },
  )

  it("are searched among the account's own, with the deleted ones", async () => {
    const text = `SELECT c.id FROM customer c WHERE c.account_id = $1 AND ${customerMatches('$2')}`
    const values = [ACCOUNT, containing('4004@example.com')]
    expect(indexesOf(await planOf(text, values))).toEqual(['customer_search'])
    expect(await query(text, values)).toHaveLength(1)
    expect(await totalOf({ keywords: ['4004@example.com'] })).toBe(0)
  })

  it('are counted without those of other accounts', async () => {
    expect(typesOf(await listPlan('count', {}))).not.toContain('Seq Scan')
  })

  it('that are sorted or scanned would be noticed, as a control', async () => {
    const sorted =
      'SELECT * FROM customer WHERE account_id = $1 AND deleted_at IS NULL ORDER BY phone, id LIMIT 50'
    expect(typesOf(await planOf(sorted, [ACCOUNT]))).toContain('Sort')
    const like = "SELECT * FROM customer WHERE phone LIKE '%4000'"
    expect(typesOf(await planOf(like))).toContain('Seq Scan')
  })
})

describe('payment methods', () => {
  const methodPlan = plansOfList(database, PAYMENT_METHODS, ACCOUNT)

  it.each(['created_at', 'updated_at'] as const)(
    'by %s come sorted out of an index',
    async (sort) => {
      const plan = await methodPlan('page', {}, { sort })
      expect(typesOf(plan)).toEqual(['Limit', 'Index Scan'])
      expect(indexesOf(plan)).toEqual([`payment_method_by_${sort}`])
    },
  )

  it.each(['created_at', 'updated_at'] as const)(
    'by %s are skipped in the index alone, far down the list',
    async (sort) => {
      const page = { skip: 2_000, take: 50, sort, order: 'desc' } as const
      const { page: text, values } = listStatements(PAYMENT_METHODS, ACCOUNT, page, {})
      const plan = await planOf(text, values)
      const skipping = plan.filter((node) => node['Index Name'] === `payment_method_by_${sort}`)
      expect(skipping.map((node) => node['Node Type'])).toEqual(['Index Only Scan'])
    },
  )

  it('of one customer name its gateway’s owner, deleted ones too', async () => {
    const plan = await planOf(ANOTHER_TOKEN, [ACCOUNT, ACCOUNT, 'sandbox'])
    expect(indexesOf(plan)).toEqual(['payment_method_by_customer'])
  })

  it('at a gateway are not read one by one by a reconciliation', async () => {
    const plan = await planOf(DAYS, ['2026-01-01', ACCOUNT, true, ['sandbox', 'stripe']])
    const read = plan.filter((node) => node['Relation Name'] === 'payment_method')
    expect(indexesOf(read)).toEqual(['payment_method_account_id_gateway_name_idx'])
    expect(read[0]?.['Index Cond']).toContain('gateway_name = ')
  })

  const ofOneCard = Object.entries({ NEEDED, IS_OVER })

  it.each(ofOneCard)('of one stored card are looked up by %s', async (_, text) => {
    const plan = await planOf(text, ['checkout', 'src_1', new Date()])
    expect(indexesOf(plan).toSorted()).toEqual([
      'payment_method_of_gateway_token',
      'payment_method_of_stored_card',
    ])
  })
})
