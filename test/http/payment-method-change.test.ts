import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../support/events.ts'
import { openFurther } from '../support/further.ts'
import { expectRefusal, withoutRequestId } from '../support/requests.ts'
import { rowOf } from '../support/resources.ts'
import { BANK, CARD } from '../support/sandbox-cards.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

const DETAILS = {
  nickname: 'Blue',
  bank_name: 'First',
  bank_type: 'savings',
  bank_holder_type: 'business',
  address_1: '12 St James’s Square',
  address_2: 'Second floor',
  address_city: 'London',
  address_state: 'LDN',
  address_zip: 'SW1Y 4JH',
  address_country: 'GB',
}

type Wrong = readonly [of: object, sent: object, fields: string[]]

const WRONG: readonly Wrong[] = [
  ...['0626', '1330', '2712', '30/12', '123', 'abcd'].map(
    (card_exp): Wrong => [CARD, { card_exp }, ['card_exp']],
  ),
  [BANK, { card_exp: '1239' }, ['card_exp']],
  [CARD, { bank_type: 'offshore', bank_holder_type: 'ghost' }, ['bank_holder_type', 'bank_type']],
  [CARD, { is_default: 'yes', meta: [], nickname: 5 }, ['is_default', 'meta', 'nickname']],
  [CARD, { nickname: 'a\0b' }, ['nickname']],
  [CARD, { customer_id: UNKNOWN, method: 'bank' }, ['customer_id', 'method']],
  [CARD, { customer_id: UNKNOWN, card_exp: '0626' }, ['card_exp', 'customer_id']],
]

describe('changing a payment method', () => {
  let now = Date.parse('2026-07-01T12:00:00.000Z')
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    const settings = { RATE_LIMIT_PER_MINUTE: '10000' }
    service = await openTestService({ queues: [], clock: { now: () => new Date(now) }, settings })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const ask = (method: 'GET' | 'PUT', id: string, body?: object, whose = merchant) =>
    call(service.app, method, `/payment-method/${id}`, whose.headers, body)

  /** A payment method that was made some time ago. */
  async function made(body: object = CARD): Promise<Answer['body']> {
    const answer = await call(service.app, 'POST', '/payment-method', merchant.headers, body)
    expect(answer.status).toBe(200)
    now += 1_000
    return answer.body
  }

  it.each([
    ['a card', CARD, { ...DETAILS, card_exp: '0139' }],
    ['a bank account', BANK, DETAILS],
  ])(
    'of %s changes all fields that are sent, and writes its event in the same commit',
    async (_, of, more) => {
      const before = await made(of)
      const change = { ...more, person_name: 'Ada King', meta: { a: [1] } }
      const { status, body } = await ask('PUT', before.id.toUpperCase(), change)
      expect(status).toBe(200)
      expect(body).toEqual({ ...before, ...change, updated_at: new Date(now).toISOString() })
      expect((await ask('GET', before.id.toUpperCase())).body).toEqual(body)
      expect(await eventsOf(service, 'payment_method', before.id)).toEqual([
        { type: 'create_payment_method', sequence: 1, snapshot: before, same_commit: false },
        { type: 'update_payment_method', sequence: 2, snapshot: body, same_commit: true },
      ])
    },
  )

  it.each(Object.entries({ ...DETAILS, meta: { a: 1 } }))(
    'changes %s alone, and leaves it as it is for null',
    async (field, value) => {
      const before = await made({ ...BANK, ...DETAILS, [field]: undefined })
      const changed = (await ask('PUT', before.id, { [field]: value })).body
      expect(changed).toEqual({ ...before, [field]: value, updated_at: changed.updated_at })
      expect((await ask('PUT', before.id, { [field]: null })).body).toEqual(changed)
    },
  )

  it('empties the fields that are to be removed', async () => {
    const before = await made({ ...BANK, ...DETAILS })
    const remove = Object.keys(DETAILS)
    const { body } = await ask('PUT', before.id, { remove })
    const emptied = Object.fromEntries(remove.map((name) => [name, null]))
    expect(body).toEqual({ ...before, ...emptied, updated_at: body.updated_at })
    const needed = await ask('PUT', before.id, { remove: ['person_name'] })
    expectRefusal(needed, 400, 'invalid_request', ['remove.0'])
  })

  it.each([
    ['nothing', {}],
    ['unknown keys and what is not the merchant’s to change', { colour: 'red', card_type: 'x' }],
    ['no number', { card_number: null, bank_account: '', payment_method_token: null }],
    [
      'nothing in its fields',
      { person_name: '', customer_id: null, card_exp: '', is_default: null },
    ],
  ])('does nothing if %s is sent: no event, no later updated_at', async (_, sent) => {
    const before = await made()
    const row = await rowOf(service, 'payment_method', before.id)
    const { status, body } = await ask('PUT', before.id, sent)
    expect([status, body]).toEqual([200, before])
    expect(await rowOf(service, 'payment_method', before.id)).toBe(row)
    expect(await eventsOf(service, 'payment_method', before.id)).toHaveLength(1)
  })

  it.each([
    ['a card', CARD],
    ['a bank account', BANK],
  ])('does nothing if %s is sent as it was answered, and keeps its customer', async (_, of) => {
    const before = await made({ ...of, nickname: 'Blue', meta: { a: 1 } })
    expect((await ask('PUT', before.id, before)).body).toEqual(before)
    const named = { ...before, customer_id: before.customer_id.toUpperCase(), nickname: 'Red' }
    const { status, body } = await ask('PUT', before.id, named)
    expect([status, body.nickname, body.customer_id]).toEqual([200, 'Red', before.customer_id])
  })

  it('accepts an expired card as it is, and no other past expiry', async () => {
    const before = await made({ ...CARD, card_exp: '0726' })
    const then = now
    now = Date.parse('2026-08-01T12:00:00.000Z') // It is past the end of July everywhere on Earth.
    const { status, body } = await ask('PUT', before.id, { ...before, nickname: 'Old' })
    expect([status, body.card_exp, body.nickname]).toEqual([200, '0726', 'Old'])
    expectRefusal(await ask('PUT', before.id, { card_exp: '0626' }), 400, 'invalid_request', [
      'card_exp',
    ])
    expect((await ask('PUT', before.id, { card_exp: '08/2026' })).body.card_exp).toBe('0826')
    now = then
  })

  it.each(WRONG)('for %j refuses %j, every fault at once', async (of, wrong, fields) => {
    const before = await made(of)
    expectRefusal(await ask('PUT', before.id, wrong), 400, 'invalid_request', fields)
    expect((await ask('GET', before.id)).body).toEqual(before)
  })

  it('answers the same for an unknown and a foreign payment method', async () => {
    const before = await made()
    for (const stranger of [await service.merchant(), await service.merchant('live')]) {
      for (const method of ['GET', 'PUT'] as const) {
        const foreign = await ask(method, before.id, undefined, stranger)
        expectRefusal(foreign, 404, 'not_found')
        const unknown = await ask(method, UNKNOWN, undefined, stranger)
        expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown))
      }
      expect((await ask('PUT', before.id, { nickname: 'mine' }, stranger)).status).toBe(404)
    }
    expect((await ask('GET', before.id)).body).toEqual(before)
    expectRefusal(await ask('PUT', 'x', {}), 400, 'invalid_id', ['id'])
  })

  it('loses none of ten simultaneous changes at two processes', async () => {
    const before = await made()
    await using further = await openFurther(service)
    const names = Array.from({ length: 10 }, (_, i) => `Card ${i}`)
    const answers = await Promise.all(
      names.map((nickname, i) => {
        const app = i % 2 === 0 ? service.app : further.app
        return call(app, 'PUT', `/payment-method/${before.id}`, merchant.headers, { nickname })
      }),
    )
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
    const events = await eventsOf(service, 'payment_method', before.id)
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(
      events
        .slice(1)
        .map(({ snapshot }) => snapshot.nickname)
        .sort(),
    ).toEqual(names)
    expect((await ask('GET', before.id)).body).toEqual(events.at(-1)?.snapshot)
  })
})
