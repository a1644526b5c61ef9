// Kept JSON has no -0. A body that holds one is the same request when it comes again, and no change
// of what it has written.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { JSON_TYPE, send } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant
let card: string
let customer: string

beforeAll(async () => {
  service = await openTestService()
  merchant = await service.merchant()
  card = await service.card(merchant)
  const found = await call(service.app, 'GET', `/payment-method/${card}`, merchant.headers)
  customer = found.body.customer_id
})
afterAll(() => service.close())

/** A text of JSON, since a value that is printed loses the sign. */
const ask = (method: 'POST' | 'PUT', url: string, fields: object, headers: object = {}) => {
  const payload = JSON.stringify({ ...fields, meta: '?' }).replace('"?"', '{"discount":[-0.0]}')
  return send(service.app, {
    method,
    url,
    headers: { ...merchant.headers, ...JSON_TYPE, ...headers },
    payload,
  })
}

const made = async (url: string, fields: object) =>
  (await call(service.app, 'POST', url, merchant.headers, fields)).body.id

const byHand = () => ({ total: 5, type: 'charge', method: 'cash', customer_id: customer })
const invoice = () => ({ total: 5, customer_id: customer, payment_method_id: card })
const schedule = () => ({ total: 5, customer_id: customer, rule: 'FREQ=DAILY' })

it.each([
  ['/transaction', byHand],
  ['/charge', () => ({ total: 5, payment_method_id: card })],
  ['/invoice', invoice],
  ['/invoice/schedule', schedule],
])('a repeat of POST %s gets its answer', async (url, fields) => {
  const key = { 'idempotency-key': `zero ${url}` }
  const first = await ask('POST', url, fields(), key)
  const again = await ask('POST', url, fields(), key)
  expect([first.status, again.status, again.text]).toEqual([200, 200, first.text])
  expect(first.body.meta).toEqual({ discount: [0] })
})

it('a repeat of the payment of an invoice gets its answer', async () => {
  const url = `/invoice/${await made('/invoice', invoice())}/pay`
  const key = { 'idempotency-key': 'zero pay' }
  const first = await ask('POST', url, {}, key)
  const again = await ask('POST', url, {}, key)
  expect([first.status, again.status, again.text]).toEqual([200, 200, first.text])
})

it.each([
  ['/transaction', byHand],
  ['/invoice', invoice],
  ['/invoice/schedule', schedule],
])('a PUT %s of what it is already writes no event', async (url, fields) => {
  const id = await made(url, fields())
  const first = await ask('PUT', `${url}/${id}`, {})
  const again = await ask('PUT', `${url}/${id}`, {})
  expect([first.status, again.text]).toEqual([200, first.text])
  const events = await call(service.app, 'GET', `/event?resource_id=${id}`, merchant.headers)
  expect(events.body.total).toBe(2)
})
