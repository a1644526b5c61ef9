// Every list of invoices, and every round over due ones, uses an index, in an account with many
// invoices among others with some.

import { describe, expect, it } from 'vitest'
import { OF_CUSTOMERS_INVOICE, OF_INVOICE } from '../../src/customers/refuse-used.ts'
import type { FilterValues } from '../../src/db/terms.ts'
import { INVOICES } from '../../src/invoices/list-invoices.ts'
import { dueRetries } from '../../src/schedules/retry-due-invoices.ts'
import {
  type Explained,
  explaining,
  indexesOf,
  mostSorted,
  type PlanNode,
  typesOf,
} from '../support/explained.ts'
import { filledDatabase, plansOfList } from '../support/filled-database.ts'

const ACCOUNT = '01941f29-7c00-7000-8000-000000000001'
const idOf = (n: number) => `01941f29-7c00-7000-8000-${String(n).padStart(12, '0')}`

/**
 * Most are paid; every seventh is deleted, and every hundredth of the failed ones is to be retried.
 */
const FILL = `
  SET session_replication_role = replica;
  INSERT INTO invoice (account_id, id, status, total, total_paid, currency, customer_id,
      payment_method_id, schedule_id, token, meta, pay_by, paid_at, payment_id, tries, retry_at,
      due_at, request_id, created_at, updated_at, deleted_at)
    SELECT CASE WHEN n % 10 = 0 THEN gen_random_uuid() ELSE '${ACCOUNT}'::uuid END,
      gen_random_uuid(), status, n % 900 + 1, CASE status WHEN 'PAID' THEN n % 900 + 1 ELSE 0 END,
      'USD', ('01941f29-7c00-7000-8000-' || lpad((n % 2000)::text, 12, '0'))::uuid,
      CASE WHEN n % 2 = 1 THEN ('01941f29-7c00-7000-8000-' || lpad((n % 700)::text, 12, '0'))::uuid END,
      CASE WHEN n % 2 = 0 THEN ('01941f29-7c00-7000-8000-' || lpad((n % 500)::text, 12, '0'))::uuid END,
      md5(n::text), CASE WHEN n % 4 = 0 THEN jsonb_build_object('reference', n) ELSE '{}' END
        || CASE WHEN n % 5 = 0 THEN jsonb_build_object('poNumber', n) ELSE '{}' END, CASE WHEN n % 3 > 0 THEN at + interval '30 days' END,
      CASE status WHEN 'PAID' THEN at + n % 40 * interval '1 day' END,
      CASE status WHEN 'PAID' THEN gen_random_uuid() END, 1,
      CASE WHEN status = 'ATTEMPTED' AND n % 4 = 1 THEN at + interval '1 day' END,
      CASE WHEN status = 'ATTEMPTED' AND n % 4 = 1 THEN at + interval '1 day' END,
      'r', at, at + n % 90 * interval '1 day', CASE status WHEN 'DELETED' THEN at END
    FROM (
      SELECT n, timestamptz '2026-01-01Z' + n * interval '1 minute' AS at,
        (CASE WHEN n % 7 = 0 THEN 'DELETED' WHEN n % 25 = 1 THEN 'ATTEMPTED'
          WHEN n % 9 = 1 THEN 'DRAFT' ELSE 'PAID' END)::invoice_status AS status
      FROM generate_series(1, 30000) AS n
    ) made;
  INSERT INTO customer (account_id, id, firstname, lastname, meta, created_at, updated_at)
    SELECT '${ACCOUNT}', ('01941f29-7c00-7000-8000-' || lpad(n::text, 12, '0'))::uuid, md5(n::text),
      CASE WHEN n % 500 = 0 THEN 'Lovelace' ELSE md5((-n)::text) END, '{}', '2026-01-01', '2026-01-01'
    FROM generate_series(0, 1999) AS n;
  SET session_replication_role = DEFAULT;
  VACUUM ANALYZE invoice; VACUUM ANALYZE customer`

type InvoiceSort = keyof typeof INVOICES.sorts
type InvoiceFilters = FilterValues<typeof INVOICES.filters>

const database = filledDatabase(FILL)
const planOf = plansOfList(database, INVOICES, ACCOUNT)

describe('a page of invoices', () => {
  const sorts = Object.keys(INVOICES.sorts) as InvoiceSort[]

  it.each(sorts.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
    'by %s, %s, is read in the order of an index, and never sorted',
    async (sort, order) => {
      const nodes = await planOf('page', {}, { sort, order })
      expect(typesOf(nodes)).toEqual(['Limit', 'Index Scan'])
      const isDown = order === 'desc' && (sort === 'due_at' || sort === 'paid_at')
      expect(indexesOf(nodes)).toEqual([`invoice_by_${sort}${isDown ? '_down' : ''}`])
    },
  )

  const FILTERS: readonly (readonly [string, InvoiceFilters])[] = [
    ['invoice_of_status', { status: 'ATTEMPTED' }],
    ['invoice_of_status', { status: 'PAID' }],
    ['invoice_of_customer', { customer_id: idOf(77) }],
    ['invoice_of_schedule', { schedule_id: idOf(76) }],
    ['invoice_of_payment_method', { payment_method_id: idOf(77) }],
    ['invoice_of_customer', { customer_id: idOf(77), status: 'PAID' }],
    ['invoice_of_schedule', { schedule_id: idOf(76), status: 'ATTEMPTED' }],
    ['invoice_deleted', { status: 'DELETED' }],
  ]

  it.each(FILTERS)('of the newest is found in the order of %s for %o', async (index, filter) => {
    const nodes = await planOf('page', filter)
    expect(typesOf(nodes)).toEqual(['Limit', 'Index Scan'])
    expect(indexesOf(nodes)).toEqual([index])
  })

  it.each(FILTERS)(
    'is counted, and sorted in any way, without reading all others (%s) where %o',
    async (_, filter) => {
      const count = await planOf('count', filter)
      expect(typesOf(count)).not.toContain('Seq Scan')
      for (const sort of sorts) {
        const page = await planOf('page', filter, { sort })
        expect(typesOf(page)).not.toContain('Seq Scan')
      }
    },
  )

  it.each(['page', 'count'] as const)(
    'by a keyword is found by its order number, and by the customers who match (%s)',
    async (which) => {
      for (const keyword of ['lovelace', idOf(77)]) {
        const nodes = await planOf(which, { keywords: [keyword] })
        const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
        expect(scanned.map((node) => node['Relation Name'])).not.toContain('invoice')
        for (const index of ['customer', 'reference', 'po_number']) {
          expect(indexesOf(nodes)).toContain(`invoice_of_${index}`)
        }
      }
    },
  )

  it.each(['page', 'count'] as const)(
    'by several keywords reads one list of customers, and none for deleted invoices (%s)',
    async (which) => {
      const keywords = ['a', 'lovelace', '1']
      const isList = (node: PlanNode) =>
        node['Relation Name'] === 'customer' && node['Index Name'] !== 'customer_pkey'
      const nodes = await planOf(which, { keywords })
      expect(nodes.filter(isList)).toHaveLength(1)
      expect(indexesOf(nodes)).toContain('customer_search')
      const deleted = await planOf(which, { keywords, status: 'DELETED' })
      expect(deleted.filter(isList)).toEqual([])
      expect(indexesOf(deleted)).toContain('customer_pkey')
    },
  )

  it('would be sorted without an index, as a control', async () => {
    const text = 'SELECT id FROM invoice WHERE account_id = $1 ORDER BY total_paid, id LIMIT 50'
    expect(typesOf(await database.planOf(text, [ACCOUNT]))).toContain('Sort')
  })
})

describe('the invoices of a customer that are being paid', () => {
  it.each([
    ['the customer', OF_CUSTOMERS_INVOICE, [ACCOUNT, idOf(77)]],
    ['a payment method', OF_INVOICE, [ACCOUNT, idOf(77), idOf(77)]],
  ])('are found before %s is deleted, and no paid ones are read', async (_, text, values) => {
    expect(indexesOf(await database.planOf(text, values))).toEqual(['invoice_collected'])
  })
})

describe('due invoices', () => {
  const now = new Date('2026-01-15T00:00:00Z')

  async function explained(scope: { accountId: string; now: Date } | undefined) {
    const kept: Explained[] = []
    const query = explaining(database.client, kept)
    const found = await dueRetries(query, now, scope, 100)
    const after = await dueRetries(query, now, scope, 100, found.at(-1))
    expect(found.length).toBe(100)
    expect(new Set([...found, ...after].map(({ id }) => id)).size).toBe(found.length + after.length)
    return kept
  }

  it.each([
    ['in real time by invoice_due', 'invoice_due', undefined],
    ['in the time of an account by invoice_retry', 'invoice_retry', { accountId: ACCOUNT, now }],
  ])('are found by %s, and no others', async (_, index, scope) => {
    for (const { nodes } of await explained(scope)) {
      expect(typesOf(nodes)).toEqual(['Limit', expect.stringMatching(/^Index (Only )?Scan$/)])
      expect(nodes.at(-1)?.['Index Name']).toBe(index)
      expect(mostSorted(nodes)).toBe(0)
    }
  })
})
