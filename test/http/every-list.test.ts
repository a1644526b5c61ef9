// What is true of every list: its envelope, its pages, and the queries that it refuses.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentOf, type Named, operationsOf } from '../support/document.ts'
import { expectRefusal, withQuery } from '../support/requests.ts'
import { type SampleMerchant, sampleMerchantOf } from '../support/samples.ts'
import { type Answer, call, type Merchant, openTestService } from '../support/test-service.ts'

/** Three of each are more than a page of two rows. */
const THINGS = ['customer', 'card', 'link', 'invoice', 'item', 'schedule', 'webhook'] as const

const LONG = { timeout: 120_000 }

const EMPTY = { data: [], total: 0, from: null, to: null, next_page_url: null, prev_page_url: null }

describe('every list', LONG, () => {
  let seller: SampleMerchant
  let lists: readonly Named[]

  beforeAll(async () => {
    const settings = { WEBHOOK_ALLOW_PRIVATE: 'true' }
    const service = await openTestService({ queues: ['charge', 'refund'], settings })
    await service.app.ready()
    seller = await sampleMerchantOf(service, await service.merchant())
    for (const thing of THINGS) {
      for (let n = 0; n < 3; n += 1) await seller.make[thing]()
    }
    for (let n = 0; n < 3; n += 1) await seller.charge()
    const hasPages = ({ method, operation: { parameters = [] } }: Named) =>
      method === 'GET' && parameters.some(({ name }) => name === 'page')
    lists = operationsOf(documentOf(seller.service.app)).filter(hasPages)
  }, LONG.timeout)
  afterAll(() => seller.service.close())

  const get = (url: string, { headers }: Merchant = seller.merchant) =>
    call(seller.service.app, 'GET', url, headers)

  const addresses = new Map<string, string>()

  async function addressOf(named: Named): Promise<string> {
    const url = addresses.get(named.route) ?? (await seller.sampleOf(named)).url
    addresses.set(named.route, url)
    return url
  }

  const rowsOf = ({ body }: Answer): readonly string[] =>
    body.data.map((row: { readonly id?: string }) => row.id ?? JSON.stringify(row))

  it('has an envelope, and pages that lead to each other', async () => {
    const lengths = new Map<string, number>()
    for (const named of lists) {
      const { route } = named
      const url = await addressOf(named)
      const all = await get(withQuery(url, 'limit=200&order=asc'))
      const { length: total } = all.body.data
      lengths.set(route, total)
      const ends = total === 0 ? { from: null, to: null } : { from: 1, to: total }
      const single = { ...EMPTY, ...ends, total, per_page: 200, current_page: 1, last_page: 1 }
      expect({ route, ...all.body, data: [] }).toEqual({ route, ...single })
      const seen: string[] = []
      // A long list has three pages too.
      const limit = Math.max(2, Math.ceil(total / 3))
      let next = withQuery(url, `limit=${limit}&order=asc`)
      let last: Answer | undefined
      while (next !== null) {
        const page = await get(next)
        expect([route, page.status, page.body.total]).toEqual([route, 200, total])
        expect([route, page.body.from]).toEqual([route, total === 0 ? null : seen.length + 1])
        if (last !== undefined) {
          expect(rowsOf(await get(page.body.prev_page_url)), route).toEqual(rowsOf(last))
        }
        seen.push(...rowsOf(page))
        last = page
        next = page.body.next_page_url
      }
      expect(seen, route).toEqual(rowsOf(all))
      const beyond = { data: [], total, from: null, to: null, next_page_url: null }
      expect((await get(withQuery(url, 'page=99&limit=2'))).body, route).toMatchObject(beyond)
      expect((await get(url)).body.per_page, route).toBe(50)
    }
    // As a control, most lists have more than one page.
    expect(lengths.size).toBeGreaterThan(12)
    expect([...lengths.values()].filter((length) => length > 2).length).toBeGreaterThan(7)
  })

  it('refuses each faulty parameter, all at once', async () => {
    for (const named of lists) {
      const url = await addressOf(named)
      const faults = 'limit=0&page=x&sort=y&order=z&colour=green'
      const fields = ['colour', 'limit', 'order', 'page', 'sort']
      expectRefusal(await get(withQuery(url, faults)), 400, 'invalid_request', fields)
      for (const fault of ['limit=201', 'per_page=201', 'page=0', 'per_page=3&limit=1']) {
        const [field = ''] = fault.split('=')
        const { status, body } = await get(withQuery(url, fault))
        expect([named.route, status, Object.keys(body.errors)]).toEqual([
          named.route,
          400,
          [expect.stringContaining(field)],
        ])
      }
    }
  })

  it('says of a parameter that was sent twice that it was, whatever its values are', async () => {
    for (const named of lists) {
      const url = await addressOf(named)
      for (const field of ['limit', 'sort', 'order']) {
        const answer = await get(withQuery(url, `${field}=created_at&${field}=created_at`))
        expectRefusal(answer, 400, 'invalid_request', [field])
        expect([named.route, answer.body.errors[field]]).toEqual([
          named.route,
          ['was sent more than once'],
        ])
      }
    }
    const id = 'customer_id=01941f29-7c00-7000-8000-000000000001'
    const ids = await get(`/transaction?${id}&${id}`)
    expectRefusal(ids, 400, 'invalid_request', ['customer_id'])
    expect(ids.body.message).toBe('customer_id was sent more than once')
    expect((await get('/transaction?keywords=a&keywords=b&status[]=SUCCESS')).status).toBe(200)
    for (const text of [
      `keywords=${'a'.repeat(300)}`,
      `keywords=${'a'.repeat(200)}&keywords=${'b'.repeat(200)}`,
    ]) {
      const long = await get(`/transaction?${text}`)
      expect(long.body.errors.keywords).toEqual(['must be at most 255 characters together'])
    }
    const eleven = await get(`/transaction?${'keywords=a&'.repeat(11)}`)
    expect(eleven.body.errors).toEqual({ keywords: ['must have at most 10 items'] })
  })

  it('has nothing of another account', async () => {
    const stranger = await seller.service.merchant()
    for (const named of lists) {
      const { path, route } = named
      const url = await addressOf(named)
      // Others are lists of a resource that is not found.
      if (url !== path) continue
      const { status, body } = await get(url, stranger)
      expect({ route, status, ...body }).toMatchObject({ route, status: 200, ...EMPTY })
    }
  })
})
