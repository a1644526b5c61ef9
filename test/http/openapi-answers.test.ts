import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  answerCheck,
  type CheckedCall,
  checkedCall,
  type Document,
  documentOf,
  eventCheck,
  operationsOf,
} from '../support/document.ts'
import { FULL_LINK } from '../support/links.ts'
import { FULL } from '../support/people.ts'
import { openShop, type Shop } from '../support/samples.ts'
import { BANK } from '../support/sandbox-cards.ts'

const DECLINING = '4012888888881881'

/** The operations run one after the other. */
const LONG = { timeout: 180_000 }
const START_MS = 120_000

const MOST_TRIES = 4

/** Nothing is due in the new account of its sample, so the clock is ready at once. */
const CLOCK = 'POST /sandbox/clock'

describe('the OpenAPI document describes', LONG, () => {
  let shop: Shop
  let document: Document
  let ask: CheckedCall

  beforeAll(async () => {
    shop = await openShop()
    document = documentOf(shop.service.app)
    ask = checkedCall(shop.service.app)
  }, START_MS)
  afterAll(() => shop.service.close())

  it.each([
    ['200', {}],
    ['202', { prefer: 'respond-async' }],
  ])('%s of every operation that can answer it', async (status, how) => {
    const others: string[] = []
    const operations = operationsOf(document)
    const answering = operations.filter(({ operation, route }) => {
      return status in operation.responses && (status === '200' || route !== CLOCK)
    })
    for (const named of answering) {
      const answers = []
      // A worker is sometimes faster than an answer that does not wait for it.
      while (answers.length < MOST_TRIES && answers.at(-1)?.status !== Number(status)) {
        const { whose, url, body } = await shop.sampleOf(named)
        answers.push(await ask(named.method, url, { ...whose.headers, ...how }, body))
      }
      const last = answers.at(-1)
      if (last?.status !== Number(status)) others.push(`${named.route}: ${last?.text}`)
    }
    expect(answering.length).toBeGreaterThan(4)
    expect(others).toEqual([])
  })

  it('a charge with every field, and all its events', async () => {
    const { headers } = shop.merchant
    const customer = await ask('POST', '/customer', headers, FULL)
    const link = await ask('POST', '/payment-link', headers, { ...FULL_LINK, active: true })
    const bank = { ...BANK, bank_name: 'First', customer_id: customer.body.id }
    const method = await ask('POST', '/payment-method', headers, bank)
    const charge = {
      total: '12.50',
      payment_method_id: method.body.id,
      payment_link_id: link.body.id,
      channel: 'web',
      meta: { lineItems: [{ item: 'Tea', price: 12.5 }] },
      funding: [{ account_id: 'a', amount: 12.5, memo: 'all of it' }],
      idempotency_id: 'with everything',
    }
    const made = await ask('POST', '/charge', headers, charge)
    const again = await ask('POST', '/charge', headers, charge)
    const funding = await ask('GET', `/transaction/${made.body.id}/funding`, headers)
    const voided = await ask('POST', `/transaction/${made.body.id}/void`, headers)
    const related = await ask('GET', `/transaction/${made.body.id}/related`, headers)
    expect([made, again, funding, voided, related].map(({ status }) => status)).toEqual(
      Array(5).fill(200),
    )
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  it('an authorisation with its captures, and their refunds', async () => {
    const { headers } = shop.merchant
    const id = await shop.make.authorised()
    await ask('POST', `/transaction/${id}/capture`, headers, { total: 4 })
    const captured = await ask('POST', `/transaction/${id}/capture`, headers, { total: 6 })
    expect(captured.body.child_captures).toHaveLength(2)
    const [first] = captured.body.child_captures
    await ask('POST', `/transaction/${first.id}/void`, headers)
    const { body } = await ask('GET', `/transaction/${id}`, headers)
    expect(body.child_captures[0].child_transactions).toHaveLength(1)
  })

  it('a payment that was declined, which is a transaction and 400', async () => {
    const card = await shop.service.card(shop.merchant, DECLINING)
    const body = { total: 1, payment_method_id: card }
    const declined = await ask('POST', '/charge', shop.merchant.headers, body)
    expect(declined).toMatchObject({ status: 400, body: { status: 'FAILED', success: false } })
  })

  it('the request that an endpoint gets for each of these events', async () => {
    const check = eventCheck(document)
    const events = await shop.service.world.db.prisma.event.findMany()
    for (const { type, snapshot } of events) check(type, snapshot)
    expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(15)
    const [one] = events
    expect(() => check(one?.type ?? '', { ...Object(one?.snapshot), secret: 1 })).toThrow()
  })

  it('no other answer, as a control', async () => {
    const check = answerCheck(document)
    const made = await ask('POST', '/customer', shop.merchant.headers, { firstname: 'Ada' })
    const others = [
      { ...made.body, secret: 1 },
      { ...made.body, id: 'x' },
      { ...made.body, created_at: 'today' },
      { ...made.body, meta: undefined },
    ]
    check('POST', '/customer', made)
    for (const body of others) {
      const wrong = { ...made, body: JSON.parse(JSON.stringify(body)) }
      expect(() => check('POST', '/customer', wrong)).toThrow()
    }
    const { ratelimit: _, ...headers } = made.headers
    expect(() => check('POST', '/customer', { ...made, headers })).toThrow()
    expect(() => check('POST', '/customer', { ...made, status: 418 })).toThrow()
    expect(() => check('POST', '/customer', { ...made, text: '', headers: {} })).toThrow()
  })

  it('no code that it does not name, as a control', async () => {
    const check = answerCheck(document)
    const refused = await ask('GET', '/customer?limit=0', shop.merchant.headers)
    const other = { ...refused, body: { ...refused.body, error: 'in_use' } }
    expect(() => check('GET', '/customer', other)).toThrow()
  })
})
