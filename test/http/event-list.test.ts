import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listStatements } from '../../src/db/declared-list.ts'
import { EVENTS } from '../../src/events/list-events.ts'
import { expectRefusal } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

describe('the list of events', () => {
  let service: TestService
  let merchant: Merchant
  let customer: string
  let link: string

  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
    call(service.app, method, url, merchant.headers, body)

  const list = async (query = '') => (await ask('GET', `/event${query}`)).body

  beforeAll(async () => {
    service = await openTestService({ queues: ['charge', 'refund'], backend: 'postgres' })
    merchant = await service.merchant()
    customer = (await ask('POST', '/customer', { firstname: 'Ada' })).body.id
    await ask('PUT', `/customer/${customer}`, { firstname: 'Grace', meta: { n: 1.5, s: '🕯' } })
    link = (await ask('POST', '/payment-link', { common_name: 'Shop' })).body.id
    await ask('DELETE', `/customer/${customer}`)
  })
  afterAll(() => service.close())

  it('has every change in order, the newest first', async () => {
    const { data, total } = await list()
    expect(total).toBe(4)
    expect(data.map((event: { type: string }) => event.type)).toEqual([
      'delete_customer',
      'create_payment_link',
      'update_customer',
      'create_customer',
    ])
    const ascending = await list('?order=asc&sort=created_at')
    expect(ascending.data).toEqual([...data].reverse())
  })

  it('refuses an unknown event name instead of listing nothing', async () => {
    const refused = await ask('GET', '/event?type=create_transacton')
    expectRefusal(refused, 400, 'invalid_request')
    expect(Object.keys(refused.body.errors)).toEqual(['type'])
  })

  it('counts the changes of each resource, and shows its state after each', async () => {
    const { data } = await list(`?resource_id=${customer}&order=ASC`)
    expect(data.map((event: { sequence: number }) => event.sequence)).toEqual([1, 2, 3])
    expect(data[0].data).toMatchObject({ id: customer, firstname: 'Ada' })
    expect(data[1].data).toMatchObject({ firstname: 'Grace', meta: { n: 1.5, s: '🕯' } })
    expect(Object.keys(data[0]).sort()).toEqual(
      ['created_at', 'data', 'id', 'resource_id', 'sequence', 'type'].sort(),
    )
  })

  it('shows the answer of GET, for a charge and its follow-ups', async () => {
    const card = await service.card(merchant)
    const charge = await service.charge(merchant, { total: 3, payment_method_id: card })
    const url = `/transaction/${charge.body.id}`
    const voided = await ask('POST', `${url}/void`)
    const { data } = await list(`?resource_id=${charge.body.id}`)
    expect(data.map((event: { type: string }) => event.type)).toEqual([
      'update_transaction',
      'create_transaction',
    ])
    expect(data[1].data).toEqual(charge.body)
    expect(data[0].data).toEqual(voided.body)
    expect(data[0].data).toEqual((await ask('GET', url)).body)
    const [child] = voided.body.child_transactions
    expect((await list(`?resource_id=${child.id}`)).data).toMatchObject([
      {
        type: 'create_transaction',
        sequence: 1,
        data: { type: 'void', reference_id: url.slice(-36) },
      },
    ])
  })

  it.each([
    ['?type=update_customer', 1],
    ['?type=create_payment_link', 1],
    [`?resource_id=${UNKNOWN}`, 0],
    ['?start_date=2099-01-01', 0],
    ['?end_date=2001-01-01', 0],
    ['?type=update_customer&start_date=2001-01-01&endDate=2099-01-01 10:00:00', 1],
  ])('can be narrowed by %s', async (query, total) => {
    expect((await list(query)).total).toBe(total)
  })

  it('finds links by their ids, in any case', async () => {
    expect((await list(`?resource_id=${link.toUpperCase()}`)).total).toBe(1)
  })

  it('treats a date alone as an end of span as that whole day', async () => {
    const [deleted] = (await list('?type=delete_customer')).data
    const day = deleted.created_at.slice(0, 10)
    expect((await list(`?type=delete_customer&end_date=${day}`)).total).toBe(1)
    expect((await list(`?type=delete_customer&end_date=${day} 00:00:00`)).total).toBe(0)
  })

  it.each([
    ['?kind=x', ['kind']],
    ['?sort=type', ['sort']],
    ['?resource_id=x', ['resource_id']],
    ['?start_date=yesterday&end_date=2026-02-30&limit=0', ['end_date', 'limit', 'start_date']],
    ['?start_date=2026-01-01&startDate=2026-01-02', ['start_date']],
  ])('refuses %s, naming what is wrong', async (query, fields) => {
    expectRefusal(await ask('GET', `/event${query}`), 400, 'invalid_request', fields)
  })

  it('shows nothing of another account', async () => {
    const other = await service.merchant()
    const answer = await call(service.app, 'GET', `/event?resource_id=${customer}`, other.headers)
    expect(answer.body).toMatchObject({ total: 0, data: [] })
  })

  describe('of an account with many', () => {
    let many: Merchant

    beforeAll(async () => {
      many = await service.merchant()
      await service.world.db.query(FILL, [many.accountId])
      await service.world.db.query('VACUUM ANALYZE event')
    })

    it.each([
      ['no filter', {}, 'event_by_created_at'],
      ['the commonest type', { type: 'create_transaction' }, 'event_by_created_at'],
      ['a type', { type: 'delete_customer' }, 'event_by_type'],
      ['a resource', { resource_id: UNKNOWN }, 'event_account_id_resource_id_sequence_key'],
    ])('is read by an index when it is narrowed by %s', async (_what, filter, index) => {
      const newest = { skip: 0, take: 50, sort: 'created_at', order: 'desc' } as const
      const { page, values } = listStatements(EVENTS, many.accountId, newest, filter)
      const plan = await service.world.db.query(`EXPLAIN ${page}`, values)
      const text = plan.map((row) => row['QUERY PLAN']).join('\n')
      expect(text).toContain(index)
      expect(text).not.toContain('Seq Scan')
    })

    it('is counted, and read far down, in an index alone', async () => {
      const last = { skip: 19_950, take: 50, sort: 'created_at', order: 'desc' } as const
      const { count, page, values } = listStatements(EVENTS, many.accountId, last, {})
      for (const statement of [count, page]) {
        const plan = await service.world.db.query(`EXPLAIN ${statement}`, values)
        const text = plan.map((row) => row['QUERY PLAN']).join('\n')
        expect(text).toMatch(/Index Only Scan (Backward )?using event_(by_created_at|pkey)/)
        expect(text).not.toMatch(/Seq Scan|Sort Key: e\./)
      }
    })
  })
})

/** Enough events, of the usual length, to make an index worthwhile. */
const FILL = `
  INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
  SELECT $1, gen_random_uuid(), 'create_transaction', gen_random_uuid()::text, 1,
    json_build_object('note', repeat('n', 1000)), 'fill',
    timestamptz '2000-01-01' + n * interval '1 second'
  FROM generate_series(1, 20000) n`
