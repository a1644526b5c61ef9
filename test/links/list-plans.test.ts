// Every list of payment links uses an index, in an account with many links among others with some.

import { describe, expect, it } from 'vitest'
import type { FilterValues } from '../../src/db/terms.ts'
import { LINKS } from '../../src/links/link.ts'
import { indexesOf, typesOf } from '../support/explained.ts'
import { filledDatabase, plansOfList } from '../support/filled-database.ts'

const ACCOUNT = '01941f29-7c00-7000-8000-000000000001'

const FILL = `
  INSERT INTO payment_link (account_id, id, common_name, amount, active, link_meta, meta,
      total_sales, total_transactions, created_at, updated_at, deleted_at)
    SELECT CASE WHEN n % 10 = 0 THEN gen_random_uuid() ELSE '${ACCOUNT}'::uuid END,
      md5(n::text), 'Link ' || md5('name' || n), nullif(n % 500, 0), n % 3 > 0,
      json_build_object('memo', 'memo ' || md5('memo' || n))::jsonb, '{}', n % 700, n % 70,
      timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-01-01',
      CASE WHEN n % 7 = 0 THEN timestamptz '2026-02-01' END
    FROM generate_series(1, 20000) AS n;
  VACUUM ANALYZE payment_link`

type LinkSort = keyof typeof LINKS.sorts
type LinkFilters = FilterValues<typeof LINKS.filters>

const database = filledDatabase(FILL)
const planOf = plansOfList(database, LINKS, ACCOUNT)

describe('a page of payment links', () => {
  const sorts = Object.keys(LINKS.sorts) as LinkSort[]

  it.each(sorts.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
    'by %s, %s, is read in the order of an index, and never sorted',
    async (sort, order) => {
      const nodes = await planOf('page', {}, { sort, order })
      expect(typesOf(nodes)).toEqual(['Limit', 'Index Scan'])
      const isDown = sort === 'amount' && order === 'desc'
      expect(indexesOf(nodes)).toEqual([`payment_link_by_${sort}${isDown ? '_down' : ''}`])
    },
  )

  const FILTERS: readonly (readonly [string, LinkFilters])[] = [
    ['payment_link_named', { common_name: 'link 7' }],
    ['payment_link_by_amount', { amount: 77n }],
    ['payment_link_search', { keywords: ['abcdef'] }],
    ['payment_link_search', { keywords: ['abcdef', 'link'], active: true }],
  ]

  it.each(FILTERS)('is found, and counted, by %s for %o', async (index, filter) => {
    for (const which of ['page', 'count'] as const) {
      const nodes = await planOf(which, filter)
      expect(typesOf(nodes)).not.toContain('Seq Scan')
      expect(indexesOf(nodes)).toEqual([expect.stringContaining(index)])
    }
  })

  it.each<LinkFilters>([{ common_name: 'link 7' }, { keywords: ['zqx'] }])(
    'is known to have few, so that no size makes another plan cheaper: %o',
    async (filter) => {
      const [, found] = await planOf('count', filter)
      expect(found?.['Plan Rows']).toBeLessThanOrEqual(3)
    },
  )

  it('would be sorted without an index, as a control', async () => {
    const text =
      'SELECT id FROM payment_link WHERE account_id = $1 ORDER BY updated_at, id LIMIT 50'
    expect(typesOf(await database.planOf(text, [ACCOUNT]))).toContain('Sort')
  })
})
