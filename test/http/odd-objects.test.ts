// Values that cannot even be converted to text where a word is expected, and headers that come
// twice.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { converse, listen, statusesOf } from '../support/raw-connection.ts'
import { call } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

/** Fields that expect a word: an instant, a page, an order. */
const PLACES = [
  ['/invoice', 'due_at'],
  [`/webhook/${UNKNOWN}/replay`, 'since'],
  ['/query/payment-links', 'order'],
  ['/query/payment-links', 'page'],
  ['/query/payment-links', 'limit'],
  ['/query/payment-links', 'per_page'],
  ['/sandbox/clock', 'now'],
] as const

const ODD = [
  '{"toString":1}',
  '{"valueOf":1,"toString":null}',
  '[{"toString":1}]',
  `${'['.repeat(8_000)}${']'.repeat(8_000)}`,
]

let api: PaymentsApi
let port: number

beforeAll(async () => {
  api = await openPaymentsApi()
  port = await listen(api.service.app)
})
afterAll(() => api.service.close())

describe.each(PLACES)('%s', (url, field) => {
  it.each(ODD)(`whose ${field} is %.30s is refused`, async (value) => {
    const headers = { ...api.merchant.headers, 'content-type': 'application/json' }
    const payload = `{"${field}":${value}}`
    const answer = await api.service.app.inject({ method: 'POST', url, headers, payload })
    expect([answer.statusCode, answer.json().errors]).toEqual([
      400,
      expect.objectContaining({ [field]: expect.any(Array) }),
    ])
  })
})

it('a request with two Idempotency-Keys is refused, and nothing is charged', async () => {
  const body = JSON.stringify({ total: 5, payment_method_id: api.card })
  const ask = async (...keys: readonly string[]) => {
    const head = [
      'POST /charge HTTP/1.1',
      'Host: x',
      `Authorization: ${api.merchant.headers.authorization}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      ...keys.map((key) => `Idempotency-Key: ${key}`),
      'Connection: close',
    ]
    return statusesOf(await converse(port, `${head.join('\r\n')}\r\n\r\n${body}`))[0]
  }
  expect(await ask('one', 'two')).toBe(400)
  expect(await ask('one')).toBe(200)
  const { headers } = api.merchant
  expect((await call(api.service.app, 'GET', '/transaction', headers)).body.total).toBe(1)
})

it('the address of a link has no line feed, which a parser would skip', async () => {
  const link_meta = { successRedirect: 'https://a\n.example.com/' }
  const body = { common_name: 'Coffee', link_meta }
  const made = await call(api.service.app, 'POST', '/payment-link', api.merchant.headers, body)
  expect([made.status, Object.keys(made.body.errors)]).toEqual([400, ['link_meta.successRedirect']])
})
