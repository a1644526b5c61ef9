// The amounts that a charge accepts in a body.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AMOUNTS, NO_AMOUNTS } from '../support/amounts.ts'
import { UNKNOWN_LINK } from '../support/links.ts'
import { expectRefusal, JSON_TYPE, send } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN_ID = '01941f29-7c00-7000-8000-000000000001'

describe('the total of a charge', () => {
  let service: TestService
  let merchant: Merchant
  let card: string

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    card = await service.card(merchant)
  })
  afterAll(() => service.close())

  const charge = (total: string, more = '') =>
    send(service.app, {
      method: 'POST',
      url: '/charge',
      headers: { ...merchant.headers, ...JSON_TYPE, prefer: 'respond-async' },
      payload: `{"payment_method_id":"${card}","total":${total}${more}}`,
    })

  it.each(AMOUNTS)('can be %s', async (total, cents) => {
    const { status, body } = await charge(total)
    expect([status, body.total]).toEqual([202, Number(cents) / 100])
    const [row] = await service.world.db.query('SELECT total FROM transaction WHERE id = $1', [
      body.id,
    ])
    expect(row?.total).toBe(String(cents))
  })

  it.each(NO_AMOUNTS.map((total) => [total.slice(0, 40), total]))(
    'cannot be %s',
    async (_, total) => {
      expectRefusal(await charge(total), 400, 'invalid_request', ['total'])
    },
  )

  it('cannot be left out', async () => {
    const answer = await charge('1', ',"total":null')
    expectRefusal(answer, 400, 'invalid_request', ['total'])
  })

  it.each(['"EUR"', '"usd"', '5'])('cannot be in the currency %s', async (currency) => {
    const answer = await charge('1', `,"currency":${currency}`)
    expectRefusal(answer, 400, 'invalid_request', ['currency'])
  })

  it.each(['/transaction', '/payment-link', '/query/payment-links', '/item'])(
    'cannot be in another currency at %s',
    async (url) => {
      const fields = { item: 'Tea', common_name: 'Tea', link_meta: {}, total: 1, currency: 'EUR' }
      const answer = await call(service.app, 'POST', url, merchant.headers, fields)
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toHaveProperty('currency')
    },
  )

  it.each([
    `/transaction/${UNKNOWN_ID}`,
    `/invoice/${UNKNOWN_ID}`,
    `/invoice/schedule/${UNKNOWN_ID}`,
    `/item/${UNKNOWN_ID}`,
    `/query/payment-links/${UNKNOWN_LINK}`,
  ])('cannot be changed to another currency by PUT %s', async (url) => {
    const put = (currency: string) =>
      call(service.app, 'PUT', url, merchant.headers, { currency }).then(({ status }) => status)
    expect([await put('EUR'), await put('USD')]).toEqual([400, 404])
  })
})
