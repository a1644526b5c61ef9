// Texts and values that JSON can hold, and a database, a header or a prototype cannot.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem, expectRefusal, JSON_TYPE, send } from '../support/requests.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

describe('text and JSON at their edges', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const post = (payload: string, url = '/customer') =>
    send(service.app, {
      method: 'POST',
      url,
      headers: { ...merchant.headers, ...JSON_TYPE },
      payload,
    })

  const get = (url: string) => send(service.app, { url, headers: merchant.headers })

  it.each([
    ['NUL', '\\u0000'],
    ['a lone high surrogate', '\\ud83d'],
    ['a lone low surrogate', '\\udd6f'],
  ])('answers %s with 400, in any place', async (_, bad) => {
    const bodies: readonly (readonly [string, string])[] = [
      ['firstname', `{"firstname":"a${bad}b"}`],
      ['notes', `{"firstname":"Ada","notes":"${bad}"}`],
      ['email', `{"email":"a${bad}b@example.com"}`],
      ['cc_emails.0', `{"firstname":"Ada","cc_emails":["a${bad}b@example.com"]}`],
      ['phone', `{"firstname":"Ada","phone":"${bad}+12025550123"}`],
      ['meta', `{"firstname":"Ada","meta":{"a":["${bad}"]}}`],
      ['meta', `{"firstname":"Ada","meta":{"k${bad}":1}}`],
      ['idempotency_id', `{"firstname":"Ada","idempotency_id":"${bad}"}`],
    ]
    for (const [field, body] of bodies) {
      expectRefusal(await post(body), 400, 'invalid_request', [field])
    }
    const bank = `"bank_routing":"${bad}","bank_account":"${bad}"`
    const method = `{"method":"bank","person_name":"a${bad}",${bank}}`
    expectRefusal(await post(method, '/payment-method'), 400, 'invalid_request')
  })

  it.each(['firstname=%00', 'keywords=%00', 'sort=%00', 'page=%00', 'notes=%00', '%00=1'])(
    'answers NUL in a query (%s) with 400',
    async (query) => expectRefusal(await get(`/customer?${query}`), 400, 'invalid_request'),
  )

  it('keeps control characters of one-line text as data, and out of headers', async () => {
    const firstname = 'Ada\r\nX-Injected: 1\tend\u001b[31m\u007f'
    const answer = await post(JSON.stringify({ firstname }))
    expect([answer.status, answer.body.firstname]).toEqual([200, firstname])
    expect(answer.headers).not.toHaveProperty('x-injected')
  })

  it.each([
    '🕯',
    'é',
    'e\u0301',
    '\u202e\u2066',
    '\u2028\u2029',
    "'; DROP TABLE customer; --",
    '\\',
  ])('keeps %j as it is, not normalised', async (firstname) => {
    expect((await post(JSON.stringify({ firstname }))).body.firstname).toBe(firstname)
  })

  it('counts characters and not bytes', async () => {
    expect((await post(JSON.stringify({ firstname: '🕯'.repeat(255) }))).status).toBe(200)
    const long = await post(JSON.stringify({ firstname: 'x'.repeat(256) }))
    expectRefusal(long, 400, 'invalid_request', ['firstname'])
  })

  it.each([
    '{"firstname":"Ada","__proto__":{"email":"x@y.example"}}',
    '{"firstname":"Ada","meta":{"__proto__":{"polluted":true}}}',
    '{"firstname":"Ada","constructor":{"prototype":{"polluted":true}}}',
  ])('lets %s reach no prototype', async (payload) => {
    const answer = await post(payload)
    expect([200, 400]).toContain(answer.status)
    if (answer.status === 400) expectProblem(answer)
    expect({}).not.toHaveProperty('polluted')
    expect({}).not.toHaveProperty('email')
  })

  it.each([
    '{"firstname":"Ada","meta":{"__proto__":1}}',
    '\ufeff{"firstname":"Ada","\\u005f_proto__":1}',
    '{"firstname":"Ada","meta":{"constructor":{"prototype":1}}}',
  ])('names the key for which %s is refused', async (payload) => {
    const answer = await post(payload)
    expectRefusal(answer, 400, 'invalid_request', ['body'])
    expect(answer.body.message).toMatch(/^body must not have the key __proto__/)
  })

  it('still says of a broken body with such a key that it is not JSON', async () => {
    expectRefusal(await post('{"__proto__":1,}'), 400, 'invalid_json')
  })

  it('keeps harmless keys that are also names of methods', async () => {
    const meta = {
      constructor: 'Acme',
      toString: 1,
      hasOwnProperty: null,
      valueOf: [],
      toJSON: 'x',
    }
    const answer = await post(JSON.stringify({ firstname: 'Ada', meta }))
    expect([answer.status, answer.body.meta]).toEqual([200, meta])
  })

  it.each([
    ['unknown keys', (deep: string) => `{"firstname":"Ada","ignored":${deep}}`, 400],
    ['meta', (deep: string) => `{"firstname":"Ada","meta":{"a":${deep}}}`, 400],
    ['a text field', (deep: string) => `{"firstname":${deep}}`, 400],
    ['the body itself', (deep: string) => deep, 400],
  ])('survives JSON nested 200,000 deep in %s', async (_, body, status) => {
    const answer = await post(body('['.repeat(200_000) + ']'.repeat(200_000)))
    expect(answer.status).toBe(status)
    if (status === 400) expectProblem(answer)
  })

  it('ignores unknown keys nested 9,000 deep', async () => {
    const deep = '['.repeat(9_000) + ']'.repeat(9_000)
    expect((await post(`{"firstname":"Ada","ignored":${deep}}`)).status).toBe(200)
  })

  it.each([
    ['a key', '{"firstname":"Ada","\\u0000":1}'],
    ['a value', '{"firstname":"Ada","ignored":[{"a":"\\u0000"}]}'],
  ])('answers NUL in %s that is unknown with 400', async (_, payload) => {
    expectRefusal(await post(payload), 400, 'invalid_request', ['body'])
  })

  it('keeps the written form of NUL as text', async () => {
    expect((await post('{"firstname":"Ada","ignored":"\\\\u0000"}')).status).toBe(200)
  })

  it.each(['1e400', '-1e400'])('refuses %s in meta, which could not be returned', async (n) =>
    expectRefusal(await post(`{"firstname":"Ada","meta":{"a":[${n}]}}`), 400, 'invalid_request', [
      'meta',
    ]),
  )

  it.each(['12345678901234567890', '-9007199254740993'])(
    'refuses %s in meta and link_meta, which could be returned as another number',
    async (n) => {
      const said = 'must not hold whole numbers beyond 9007199254740991: send them as text'
      const customer = await post(`{"firstname":"Ada","meta":{"a":[${n}]}}`)
      expectRefusal(customer, 400, 'invalid_request', ['meta'])
      expect(customer.body.errors.meta).toEqual([said])
      const link = await post(`{"common_name":"A","link_meta":{"a":${n}}}`, '/payment-link')
      expectRefusal(link, 400, 'invalid_request', ['link_meta'])
      const asText = await post(`{"firstname":"Ada","meta":{"a":"${n}"}}`)
      expect(asText.body.meta).toEqual({ a: n })
    },
  )

  it('returns numbers of meta as they were', async () => {
    const meta = {
      n: [0, -0, 1e308, 5e-324, 0.1, 1e21, -1.5, 9007199254740991, 0.30000000000000004],
    }
    const answer = await post(JSON.stringify({ firstname: 'Ada', meta }))
    expect(answer.body.meta).toEqual(JSON.parse(JSON.stringify(meta)))
    const listed = await get('/customer?limit=1')
    expect(listed.body.data[0].meta).toEqual(answer.body.meta)
  })
})
