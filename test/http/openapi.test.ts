import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CATALOGUE } from '../../src/core/errors.ts'
import { answerCheck, type CheckedCall, checkedCall, documentOf } from '../support/document.ts'
import { type Merchant, openTestHouse, type TestHouse } from '../support/house.ts'
import { send } from '../support/requests.ts'
import { routesOf } from '../support/routes.ts'
import { BANK, CARD } from '../support/sandbox-cards.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

describe('the OpenAPI document', () => {
  let house: TestHouse
  let merchant: Merchant
  let ask: CheckedCall

  beforeAll(async () => {
    house = await openTestHouse({ queues: ['charge'], backend: 'postgres' })
    merchant = await house.merchant()
    await house.app.ready()
    ask = checkedCall(house.app)
  })
  afterAll(() => house.close())

  it('is answered without a key, and is valid OpenAPI 3.1', async () => {
    const { status, body } = await send(house.app, { url: '/openapi.json' })
    expect([status, body.openapi]).toEqual([200, '3.1.0'])
    expect(await new Validator().validate(body)).toMatchObject({ valid: true })
    expect(body).toEqual(documentOf(house.app))
  })

  it('would not be valid with a fault in it, as a control', async () => {
    const document = { ...documentOf(house.app), paths: { '/x': { get: { responses: 5 } } } }
    expect(await new Validator().validate(document)).toMatchObject({ valid: false })
  })

  it('can be read on a page that needs nothing from elsewhere, without a redirect', async () => {
    for (const url of ['/docs', '/docs/']) {
      const page = await send(house.app, { url })
      expect([page.status, page.headers['content-type']]).toEqual([
        200,
        expect.stringMatching(/^text\/html/),
      ])
      expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//)
    }
  })

  it('lists every route but its own', async () => {
    const listed = Object.entries(documentOf(house.app).paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const routes = (await routesOf(house.world)).filter((route) => route !== 'GET /openapi.json')
    expect(listed.sort()).toEqual([...routes].sort())
  })

  it('lists every error with its status and its remedy', () => {
    const { info } = documentOf(house.app)
    for (const [code, { status, remedy }] of Object.entries(CATALOGUE)) {
      expect(info.description).toContain(`\`${code}\` | ${status} |`)
      expect(info.description).toContain(remedy)
    }
  })

  it('tells of every operation what it is, and with what it may be refused', () => {
    for (const [path, operations] of Object.entries(documentOf(house.app).paths)) {
      for (const [method, { summary, responses }] of Object.entries(operations)) {
        expect([path, method, summary]).toEqual([path, method, expect.stringMatching(/\w/)])
        expect(Object.keys(responses)).toContain('200')
      }
    }
  })

  it('gives examples that are accepted as they are', async () => {
    const card = await house.card(merchant)
    for (const [path, { post }] of Object.entries(documentOf(house.app).paths)) {
      const { example } = post?.requestBody?.content['application/json'] ?? {}
      if (post === undefined) continue
      expect([path, example]).toEqual([path, expect.any(Object)])
      const own = path === '/charge' ? { payment_method_id: card } : {}
      const answer = await ask('POST', path, merchant.headers, { ...example, ...own })
      expect([path, answer.status]).toEqual([path, 200])
    }
  })

  it('describes the answers that are really given', async () => {
    const { headers } = merchant
    const live = await house.merchant('live')
    const card = (await ask('POST', '/payment-method', headers, { ...CARD, meta: { a: [1] } })).body
    const bank = (await ask('POST', '/payment-method', headers, BANK)).body
    const declining = { ...CARD, card_number: '4012888888881881' }
    const declined = (await ask('POST', '/payment-method', headers, declining)).body
    const charge = (id: string, more = {}, how: Record<string, string> = {}) =>
      ask('POST', '/charge', { ...headers, ...how }, { total: 1, payment_method_id: id, ...more })
    const key = { 'idempotency-key': 'documented' }
    const made = await charge(card.id, {}, key)
    const answers = [
      await ask('GET', '/healthz', {}),
      await ask('GET', '/readyz', {}),
      await ask('GET', '/self', headers),
      await ask('GET', '/self', {}),
      await ask('POST', '/customer', headers, { email: 'ada@example.com', cc_sms: ['2025550123'] }),
      await ask('POST', '/customer', headers, {}),
      await ask('POST', '/payment-method', live.headers, CARD),
      await ask('POST', '/payment-method', headers, { ...CARD, customer_id: UNKNOWN }),
      await ask('GET', '/customer?limit=2', headers),
      await ask('GET', '/customer?limit=0', headers),
      await ask('GET', '/payment-method', headers),
      made,
      await charge(bank.id, { pre_auth: true }),
      await charge(declined.id),
      await charge(card.id, { total: 763.64 }, { prefer: 'respond-async' }),
      await charge(card.id, { total: 2 }, key),
      await charge(UNKNOWN),
      await charge('x'),
      await charge(card.id, { funding: [{ account_id: 'a', amount: 1 }] }),
      await ask('POST', '/charge', live.headers, { total: 1, payment_method_id: card.id }),
      await ask('GET', `/transaction/${made.body.id}`, headers),
      await ask('GET', `/transaction/${UNKNOWN}`, headers),
      await ask('GET', '/transaction/x', headers),
    ]
    const seen = new Set(answers.map(({ status }) => status))
    expect([...seen].sort()).toEqual([200, 202, 400, 401, 403, 404, 409, 503])
  })

  it('would not describe another answer, as a control', async () => {
    const check = answerCheck(documentOf(house.app))
    const made = await ask('POST', '/customer', merchant.headers, { firstname: 'Ada' })
    const others = [
      { ...made.body, secret: 1 },
      { ...made.body, id: 'x' },
      { ...made.body, created_at: 'today' },
      { ...made.body, meta: undefined },
    ]
    for (const body of others) {
      const wrong = { ...made, body: JSON.parse(JSON.stringify(body)) }
      expect(() => check('POST', '/customer', wrong)).toThrow()
    }
    expect(() => check('POST', '/customer', { ...made, status: 418 })).toThrow()
  })
})
