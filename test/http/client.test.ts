// The typed client of docs/client, against a service that listens. What the compiler refuses is a
// test as well: `@ts-expect-error` fails where there is nothing to refuse.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import type { ApiError, Customer, ScheduledInvoice, Transaction } from '../../docs/client/api.d.ts'
import {
  type Api,
  billMonthly,
  giveBack,
  openApi,
  pay,
  paymentsOf,
} from '../../docs/client/example.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { openShop, type Shop } from '../support/samples.ts'

const START_MS = 120_000
const LONG = { timeout: 60_000 }

let shop: Shop
let api: Api
let url: string

beforeAll(async () => {
  shop = await openShop()
  await shop.service.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(shop.service.app.server.address() as AddressInfo).port}`
  api = openApi({ url, key: shop.merchant.key })
}, START_MS)
afterAll(() => shop.service.close())

describe('the client', LONG, () => {
  it('makes, reads, changes and finds a customer', async () => {
    const made = await api.POST('/customer', { body: { firstname: 'Ada', email: 'a@example.com' } })
    expect(made.data).toMatchObject({ firstname: 'Ada', meta: {} })
    expectTypeOf(made.data).toEqualTypeOf<Customer | undefined>()
    const params = { path: { id: made.data?.id ?? '' } }
    await api.PUT('/customer/{id}', { params, body: { notes: 'Likes tea.' } })
    const read = await api.GET('/customer/{id}', { params })
    expect(read.data).toMatchObject({ firstname: 'Ada', notes: 'Likes tea.' })
    const query = { email: 'a@example.com', limit: 1, sort: 'firstname', order: 'ASC' } as const
    const found = await api.GET('/customer', { params: { query } })
    expect(found.data).toMatchObject({ total: 1, data: [read.data] })
  })

  it('makes a payment link, and deletes it', async () => {
    const made = await api.POST('/payment-link', { body: { common_name: 'Tea', amount: 4.5 } })
    const params = { path: { id: made.data?.id ?? '' } }
    const gone = await api.DELETE('/query/payment-links/{id}', { params })
    expect(gone.data).toMatchObject({ status: 200 })
    const { error, response } = await api.GET('/query/payment-links/{id}', { params })
    expect([response.status, error?.error]).toEqual([404, 'not_found'])
    expectTypeOf(error).toEqualTypeOf<ApiError | undefined>()
  })

  it('tells a declined payment from a refused request', async () => {
    const card = await shop.service.card(shop.merchant, '4012888888881881')
    const declined = await api.POST('/charge', { body: { total: 1, payment_method_id: card } })
    expectTypeOf(declined.error).toEqualTypeOf<Transaction | ApiError | undefined>()
    expect(declined.error).toMatchObject({ status: 'FAILED' })
    const refused = await api.POST('/charge', { body: { total: 0, payment_method_id: card } })
    expect(refused.error).toMatchObject({
      error: 'invalid_request',
      errors: { total: ['must be at least 0.01'] },
    })
  })

  it('lets nothing be said that the API does not know', async () => {
    const answers = [
      // @ts-expect-error: no such path
      await api.GET('/customers'),
      // @ts-expect-error: no such method
      await api.PUT('/self'),
      // @ts-expect-error: a total is required
      await api.POST('/charge', { body: { payment_method_id: shop.card } }),
      // @ts-expect-error: a flag is no text of its own
      await api.POST('/payment-link', { body: { common_name: 'Tea', active: 'no' } }),
      // @ts-expect-error: an id is required
      await api.GET('/transaction/{id}'),
      // @ts-expect-error: a misspelt filter
      await api.GET('/customer', { params: { query: { frstname: 'Ada' } } }),
      // @ts-expect-error: no such sort
      await api.GET('/customer', { params: { query: { sort: 'colour' } } }),
    ]
    expect(answers.map(({ response }) => response.status)).toEqual([
      404, 405, 400, 400, 400, 400, 400,
    ])
    const { data } = await api.GET('/self')
    // @ts-expect-error: an answer has no such field
    expect(data?.secret).toBeUndefined()
  })
})

describe('the example', LONG, () => {
  it('pays an order once, and lists what was paid', async () => {
    const paid = await pay(api, 'order-1', 12.5)
    expect(await pay(api, 'order-1', 12.5)).toEqual(paid)
    const all: Transaction[] = []
    for await (const payment of paymentsOf(api, paid.customer_id)) all.push(payment)
    expect(all).toEqual([paid])
  })

  it('gives money back by a void, and by a refund once a batch has taken it', async () => {
    const early = await pay(api, 'order-2', 3)
    expect(await giveBack(api, early)).toMatchObject({ is_voided: true, total_refunded: 0 })
    const late = await pay(api, 'order-3', 3)
    await takeIntoBatch(shop.service, [late.id])
    expect(await giveBack(api, late)).toMatchObject({ is_voided: false, total_refunded: 3 })
  })

  it('bills who has paid, each month, once', async () => {
    const paid = await pay(api, 'order-4', 3)
    const schedule = await billMonthly(api, 'subscription-4', paid, 3)
    expect(await billMonthly(api, 'subscription-4', paid, 3)).toEqual(schedule)
    expect(schedule).toMatchObject({ status: 'active', customer_id: paid.customer_id, total: 3 })
    expect(schedule.future_occurrences).toHaveLength(12)
    const query = { status: 'active', payment_method_id: paid.payment_method_id } as const
    const { data } = await api.GET('/invoice/schedule', { params: { query } })
    expectTypeOf(data?.data).toEqualTypeOf<ScheduledInvoice[] | undefined>()
    expect(data?.data).toEqual([schedule])
  })

  it('comes again after 429, 503 and silence, with the same key', async () => {
    const sent: Request[] = []
    const later = (status: number) =>
      new Response(null, { status, headers: { 'retry-after': '0' } })
    const faults = [() => later(429), () => later(503), () => Promise.reject(new TypeError('cut'))]
    const flaky = openApi({
      url,
      key: shop.merchant.key,
      fetch: async (request) => {
        sent.push(request as Request)
        // The last of them arrives, and its answer is lost.
        if (sent.length === faults.length) await fetch((request as Request).clone())
        return faults[sent.length - 1]?.() ?? fetch(request)
      },
    })
    const body = { total: 7.77, payment_method_id: shop.card }
    const { data, response } = await flaky.POST('/charge', { body })
    expect([sent.length, response.headers.get('idempotent-replayed')]).toEqual([4, 'true'])
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    const [row] = await shop.service.world.db.query(
      'SELECT count(*)::integer AS count FROM transaction WHERE total = 777',
    )
    expect([data?.total, row?.count]).toEqual([7.77, 1])
  })

  it('gives up in the end', async () => {
    const key = shop.merchant.key
    const later = async () => new Response(null, { status: 503, headers: { 'retry-after': '0' } })
    const { response } = await openApi({ url, key, fetch: later }).GET('/self')
    expect(response.status).toBe(503)
  })

  it('runs as it says', async () => {
    const child = spawn('node', ['--import', 'tsx', 'docs/client/example.ts'], {
      cwd: `${import.meta.dirname}/../..`,
      env: { PATH: process.env.PATH, API: url, KEY: shop.merchant.key },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    expect(await once(child, 'close')).toEqual([0, null])
    expect(said).toMatch(/^SUCCESS 12.5 [\s\S]*Ada Lovelace[\s\S]*every month[\s\S]*isVoided: true/)
  })
})
