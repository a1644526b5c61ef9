import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { listStatements } from '../../src/db/declared-list.ts'
import { BATCH_SORTS, type BatchSort, batchesWith } from '../../src/settlement/list-batches.ts'
import { type BatchFields, insertBatch, OPEN } from '../support/batch-rows.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { call, type Merchant } from '../support/test-service.ts'

/** A batch as the API shows it. */
type Shown = Readonly<Record<BatchSort | 'id', string | number | null>>

const FIRST_DAY = Date.parse('2025-11-20T00:00:00Z')
const MANY = 25

const dayAfter = (days: number) => new Date(FIRST_DAY + days * DAY).toISOString()

/** Closed batches, one a day, several with the same sums, made in another order. */
function closedBatch(i: number): Partial<BatchFields> {
  const at = dayAfter(i + 1)
  return {
    business_date: dayAfter(i).slice(0, 10),
    cutoff_at: at,
    closed_at: new Date(Date.parse(at) + ((i * 7) % 5) * 1_000).toISOString(),
    deposit_at: dayAfter(i + 3),
    created_at: dayAfter((i * 7) % MANY),
    count: 1 + (i % 4),
    sales: (i % 5) * 1_000 + 99,
    refunds: (i % 3) * 2_050,
  }
}

describe('the list of batches', () => {
  let api: PaymentsApi
  let all: readonly Shown[]

  const ask = (search: string, { headers }: Merchant = api.merchant) =>
    call(api.service.app, 'GET', `/batch${search}`, headers)

  const list = async (search: string): Promise<readonly Shown[]> => {
    const { status, body, text } = await ask(search)
    expect([status, text]).toEqual([200, text])
    return body.data
  }

  const datesOf = (shown: readonly Shown[]) => shown.map((batch) => batch.business_date)

  beforeAll(async () => {
    api = await openPaymentsApi({ queues: ['charge'], backend: 'postgres' })
    const { service, merchant } = api
    for (let i = 0; i < MANY; i += 1) await insertBatch(service, merchant, closedBatch(i))
    // All of its transactions were voided, so it is not listed.
    const emptied = { business_date: '2025-01-01', cutoff_at: dayAfter(-300) }
    await insertBatch(service, merchant, { ...OPEN, ...emptied })
    expect((await api.charge({ total: 31.01 })).status).toBe(200)
    expect((await api.charge({ total: 0.5 })).status).toBe(200)
    all = await list('?limit=200')
  })
  afterAll(() => api.service.close())

  it('has all batches that are not empty, the newest first', async () => {
    expect(all).toHaveLength(MANY + 1)
    expect(all[0]).toMatchObject({ status: 'open', count: 2, sales: 31.51, net: 31.51 })
    const made = all.map((batch) => String(batch.created_at))
    expect(made).toEqual([...made].sort().reverse())
  })

  describe.each(['asc', 'desc'] as const)('%s', (order) => {
    it.each(Object.keys(BATCH_SORTS) as BatchSort[])(
      'is sorted by %s, nulls last, equals by id',
      async (sort) => {
        const expected = [...all].sort((one, other) => compare(one, other, sort, order))
        expect(await list(`?limit=200&sort=${sort}&order=${order}`)).toEqual(expected)
        const pages: Shown[] = []
        for (const page of [1, 2, 3, 4]) {
          pages.push(...(await list(`?limit=8&page=${page}&sort=${sort}&order=${order}`)))
        }
        expect(pages).toEqual(expected)
      },
    )
  })

  it.each([
    ['?status=open', 1],
    ['?status=closing', 0],
    ['?status=closed', MANY],
    ['?start_date=2025-11-21', MANY],
    ['?start_date=2025-11-22&end_date=2025-11-24', 3],
    ['?startDate=2025-11-22&endDate=2025-11-24', 3],
    ['?start_date=2025-11-22&end_date=2025-11-22', 1],
    ['?start_date=2025-11-22T23:59:59Z&end_date=2025-11-23 00:00:00', 2],
    ['?start_date=2025-11-23T02:00:00%2B03:00&end_date=2025-11-22T20:00:00-05:00', 2],
    ['?end_date=2025-11-20&status=closed', 1],
    ['?end_date=2025-11-19', 0],
    ['?start_date=2025-12-01&end_date=2025-11-30', 0],
    ['?start_date=2025-12-01&status=open', 1],
    ['?end_date=0001-12-31', 0],
    ['?end_date=9999-12-31&status=open', 1],
  ])('%s finds %i', async (search, expected) => {
    const { total, data } = (await ask(search)).body
    expect([total, data.length]).toEqual([expected, expected])
  })

  it('finds business dates within a span, its ends included', async () => {
    const found = await list('?start_date=2025-11-22&end_date=2025-11-24&sort=business_date')
    expect(datesOf(found)).toEqual(['2025-11-24', '2025-11-23', '2025-11-22'])
  })

  it('keeps the query in the addresses of its pages', async () => {
    const { body } = await ask('?status=closed&limit=10&sort=net&order=ASC')
    expect(body).toMatchObject({ total: MANY, per_page: 10, last_page: 3, from: 1, to: 10 })
    const { pathname, search } = new URL(body.next_page_url)
    expect([pathname, search]).toEqual([
      '/batch',
      '?status=closed&limit=10&sort=net&order=ASC&page=2',
    ])
  })

  it.each([
    ['?kind=x', ['kind']],
    ['?sort=deposit_at', ['sort']],
    ['?status=done&limit=201', ['limit', 'status']],
    ['?start_date=2025-02-30&end_date=soon', ['end_date', 'start_date']],
    ['?start_date=2026-01-01&startDate=2026-01-02', ['start_date']],
    ['?export=xml', ['export']],
  ])('refuses %s, naming what is wrong', async (search, fields) => {
    expectRefusal(await ask(search), 400, 'invalid_request', fields)
  })

  it('is read by an index, however many others there are', async () => {
    const { service, merchant } = api
    const other = await service.merchant()
    await service.world.db.query(FILL, [other.accountId])
    await service.world.db.query('ANALYZE batch')
    const byNet = { skip: 0, take: 50, sort: 'net', order: 'desc' } as const
    const list = batchesWith(new Map())
    const { count, page, values } = listStatements(list, merchant.accountId, byNet, {})
    for (const text of [count, page]) {
      const plan = await service.world.db.query(`EXPLAIN ${text}`, values)
      const lines = plan.map((row) => row['QUERY PLAN']).join('\n')
      expect(lines).toMatch(/Index (Only )?Scan.* on batch b|Bitmap Heap Scan on batch b/)
      expect(lines).not.toContain('Seq Scan on batch')
    }
    expect((await ask('', other)).body.total).toBe(20_000)
  })
})

/** Nulls are last in either order. */
function compare(one: Shown, other: Shown, sort: BatchSort, order: 'asc' | 'desc'): number {
  const sign = order === 'asc' ? 1 : -1
  const [a, b] = [one[sort], other[sort]]
  if ((a === null) !== (b === null)) return a === null ? 1 : -1
  if (a === b) return sign * (String(one.id) < String(other.id) ? -1 : 1)
  return sign * (Number(a) < Number(b) || (typeof a === 'string' && a < String(b)) ? -1 : 1)
}

/** The batches of an account after fifty years. */
const FILL = `
  INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, status, count, sales,
    refunds, created_at, closed_at, deposit_at, deposited_at)
  SELECT $1, gen_random_uuid(), date '1960-01-01' + n, timestamptz '1960-01-01' + n * interval '1 day',
    'UTC', 'closed', 1, n, 0, timestamptz '1960-01-01', timestamptz '2020-01-01',
    timestamptz '2020-01-01', timestamptz '2020-01-01'
  FROM generate_series(1, 20000) n`
