// The catalogue of a merchant's items.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listStatements } from '../../src/db/declared-list.ts'
import { ITEMS } from '../../src/items/list-items.ts'
import { expectRefusal } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const FULL = {
  item: 'Coffee, a bag',
  code: 'COF-250',
  details: '250 g, whole beans',
  price: 12.5,
  is_active: true,
  is_taxable: true,
  is_service: false,
  in_stock: 12,
  meta: { shelf: 4 },
}

describe('items', () => {
  let service: TestService
  let merchant: Merchant

  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, key = '') =>
    call(
      service.app,
      method,
      `/item${path}`,
      { ...merchant.headers, ...(key === '' ? {} : { 'idempotency-key': key }) },
      body,
    )

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  it('are made once for a key, found, changed and deleted', async () => {
    const { status, body: made } = await ask('POST', '', FULL, 'coffee')
    expect([status, made]).toEqual([
      200,
      {
        ...FULL,
        id: made.id,
        created_at: made.created_at,
        updated_at: made.created_at,
        deleted_at: null,
      },
    ])
    expect((await ask('POST', '', { ...FULL, price: '12.50' }, 'coffee')).body).toEqual(made)
    const other = await ask('POST', '', { ...FULL, price: 13 }, 'coffee')
    expectRefusal(other, 409, 'idempotency_conflict', ['price'])
    expect((await ask('GET', `/${made.id}`)).body).toEqual(made)
    const changed = await ask('PUT', `/${made.id}`, { price: '13.00', in_stock: 0, is_active: 0 })
    const { updated_at } = changed.body
    expect(changed.body).toEqual({ ...made, price: 13, in_stock: 0, is_active: false, updated_at })
    expect((await ask('PUT', `/${made.id}`, { price: 13 })).body).toEqual(changed.body)
    const remove = ['code', 'details', 'in_stock']
    const emptied = await ask('PUT', `/${made.id}`, { remove })
    expect(emptied.body).toMatchObject({ code: null, details: null, in_stock: null, price: 13 })
    const gone = await ask('DELETE', `/${made.id}`)
    expect(gone.body).toEqual({ ...emptied.body, deleted_at: expect.any(String) })
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const body = method === 'PUT' ? {} : undefined
      expectRefusal(await ask(method, `/${made.id}`, body), 404, 'not_found')
    }
  })

  it('require a name, and have defaults for the rest', async () => {
    const { body } = await ask('POST', '', { item: 'Advice', price: null, code: '' })
    expect(body).toMatchObject({
      price: null,
      code: null,
      in_stock: null,
      is_active: true,
      meta: {},
    })
    const wrong = { price: 0.001, in_stock: -1, is_active: 'yes', details: 'x'.repeat(10_001) }
    const fields = ['details', 'in_stock', 'is_active', 'item', 'price']
    expectRefusal(await ask('POST', '', wrong), 400, 'invalid_request', fields)
    await ask('DELETE', `/${body.id}`)
  })

  it('are listed, narrowed and sorted, and belong to one account', async () => {
    for (const [item, code, is_active] of [
      ['Tea', 'T-1', true],
      ['Cup', 'C-1', false],
      ['Pot', null, true],
    ]) {
      await ask('POST', '', { item, code, is_active, details: `a ${item} of the shop` })
    }
    const namesOf = async (query: string) =>
      (await ask('GET', `?${query}`)).body.data.map(({ item }: { item: string }) => item).join(' ')
    expect(await namesOf('')).toBe('Pot Cup Tea')
    expect(await namesOf('is_active=1')).toBe('Pot Tea')
    expect(await namesOf('is_active=false')).toBe('Cup')
    expect(await namesOf('code=t-1')).toBe('Tea')
    expect(await namesOf('keywords=c-1&keywords=cup')).toBe('Cup')
    expect(await namesOf('sort=item&order=asc')).toBe('Cup Pot Tea')
    const long = `keywords=${'a'.repeat(200)}&keywords=${'b'.repeat(56)}`
    expectRefusal(await ask('GET', `?${long}`), 400, 'invalid_request', ['keywords'])
    const stranger = await service.merchant()
    expect((await call(service.app, 'GET', '/item', stranger.headers)).body.total).toBe(0)
  })

  it('are found by an index in every order', async () => {
    const client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
    await client.query(
      `INSERT INTO item (account_id, id, item, code, is_active, is_taxable, is_service, meta,
         created_at, updated_at)
       SELECT $1, gen_random_uuid(), md5(n::text), md5((-n)::text), true, true, true, '{}', at, at
       FROM (SELECT n, timestamptz '2026-01-01' + n * interval '1 s' AS at
         FROM generate_series(1, 5000) AS n) made`,
      [merchant.accountId],
    )
    await client.query('VACUUM ANALYZE item')
    const planOf = async (asked: object, sort: keyof typeof ITEMS.sorts = 'created_at') => {
      const page = { skip: 0, take: 50, sort, order: 'desc' } as const
      const { page: text, values } = listStatements(ITEMS, merchant.accountId, page, asked)
      const { rows } = await client.query(`EXPLAIN ${text}`, [...values])
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    for (const sort of Object.keys(ITEMS.sorts) as (keyof typeof ITEMS.sorts)[]) {
      expect(await planOf({}, sort)).toMatch(new RegExp(`Scan.* using item_by_${sort} `))
    }
    expect(await planOf({ code: 'cof-250' })).toContain('item_coded')
    expect(await planOf({ keywords: ['lovelace'] })).toContain('item_search')
    await client.end()
  })
})
