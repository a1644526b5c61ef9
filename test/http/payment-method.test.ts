import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '../../src/outside/clock.ts'
import { call, type Merchant, openTestHouse, type TestHouse } from '../support/house.ts'
import { expectRefusal } from '../support/requests.ts'
import { BANK, CARD, SANDBOX_CARDS } from '../support/sandbox-cards.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

const ADDRESS = {
  address_1: '12 St James’s Square',
  address_2: null,
  address_city: 'London',
  address_state: 'LDN',
  address_zip: 'SW1Y 4JH',
  address_country: 'GB',
}

describe('a payment method', () => {
  /** The first instant after a card of 06/26 has expired, wherever on Earth. */
  const clock: Clock = { now: () => new Date('2026-07-01T12:00:00.000Z') }
  let house: TestHouse
  let merchant: Merchant

  beforeAll(async () => {
    house = await openTestHouse({ queues: [], clock })
    merchant = await house.merchant()
  })
  afterAll(() => house.close())

  const create = (body: object, headers: object = {}, whose = merchant) =>
    call(house.app, 'POST', '/payment-method', { ...whose.headers, ...headers }, body)

  const list = (query = '', whose = merchant) =>
    call(house.app, 'GET', `/payment-method${query}`, whose.headers)

  async function newCustomer(): Promise<string> {
    const body = { firstname: 'Ada' }
    return (await call(house.app, 'POST', '/customer', merchant.headers, body)).body.id
  }

  const count = async (table: 'customer' | 'payment_method') => {
    const [row] = await house.world.db.query(`SELECT count(*)::integer AS rows FROM ${table}`)
    return row?.rows
  }

  describe('that is a card', () => {
    it('is answered with what may be known of it', async () => {
      const customerId = await newCustomer()
      const said = { nickname: 'Blue', ...ADDRESS, meta: { from: 'shop' } }
      const { status, body } = await create({ ...CARD, ...said, customer_id: customerId })
      expect(status).toBe(200)
      expect(body).toEqual({
        ...said,
        id: expect.any(String),
        customer_id: customerId,
        method: 'card',
        person_name: 'Ada Lovelace',
        card_type: 'visa',
        card_last_four: '1111',
        card_exp: CARD.card_exp,
        bank_name: null,
        bank_type: null,
        bank_holder_type: null,
        bank_last_four: null,
        is_default: true,
        created_at: expect.any(String),
        updated_at: body.created_at,
      })
    })

    it.each(SANDBOX_CARDS)('of number $number is a $type', async ({ number, type, cvv }) => {
      const { status, body } = await create({ ...CARD, card_number: number, card_cvv: cvv })
      expect(status).toBe(200)
      expect([body.card_type, body.card_last_four]).toEqual([type, number.slice(-4)])
    })

    it.each(['4111 1111 1111 1111', '4111-1111-1111-1111'])('may be written %s', async (number) => {
      const { body } = await create({ ...CARD, card_number: number })
      expect([body.card_type, body.card_last_four]).toEqual(['visa', '1111'])
    })

    it.each(['0726', '0826', '1239'])('may expire in %s', async (exp) => {
      expect((await create({ ...CARD, card_exp: exp })).body.card_exp).toBe(exp)
    })

    it.each([
      ['a bad check digit', { card_number: '4111111111111112' }, ['card_number']],
      ['letters for a number', { card_number: '4111x11111111111' }, ['card_number']],
      ['too short a number', { card_number: '41111111111' }, ['card_number']],
      ['no number', { card_number: undefined }, ['card_number']],
      ['zeros', { card_number: '0000000000000000' }, ['card_number']],
      ['an expiry that is past', { card_exp: '0626' }, ['card_exp']],
      ['an expiry in the 13th month', { card_exp: '1330' }, ['card_exp']],
      ['an expiry the wrong way round', { card_exp: '2712' }, ['card_exp']],
      ['an expiry with a slash', { card_exp: '12/30' }, ['card_exp']],
      ['no expiry', { card_exp: undefined }, ['card_exp']],
      ['too short a CVV', { card_cvv: '12' }, ['card_cvv']],
      ['letters for a CVV', { card_cvv: 'abc' }, ['card_cvv']],
      ['no name', { person_name: undefined }, ['person_name']],
      ['another method', { method: 'cash' }, ['method']],
      [
        'many faults',
        { card_number: '1', card_exp: 'x', card_cvv: 'y' },
        ['card_cvv', 'card_exp', 'card_number'],
      ],
    ])('with %s is refused', async (_, wrong, fields) => {
      expectRefusal(await create({ ...CARD, ...wrong }), 400, 'invalid_request', fields)
    })

    it('that is refused leaves nothing behind, its number least of all', async () => {
      const before = [await count('customer'), await count('payment_method')]
      const answer = await create({ ...CARD, card_number: '4111111111111112' })
      expect(answer.text).not.toContain('4111111111111112')
      expect([await count('customer'), await count('payment_method')]).toEqual(before)
    })
  })

  describe('that is a bank account', () => {
    it('is answered with what may be known of it', async () => {
      const { status, body } = await create({ ...BANK, bank_name: 'First' })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        method: 'bank',
        card_type: null,
        card_last_four: null,
        card_exp: null,
        bank_name: 'First',
        bank_type: 'checking',
        bank_holder_type: 'personal',
        bank_last_four: '3210',
      })
      expect(Object.keys(body)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/number|cvv|account|routing|token/)]),
      )
    })

    it.each([
      ['no account', { bank_account: undefined }, ['bank_account']],
      ['no routing number', { bank_routing: undefined }, ['bank_routing']],
      ['too short a routing number', { bank_routing: '02100002' }, ['bank_routing']],
      [
        'letters',
        { bank_account: 'x1234', bank_routing: '02100002x' },
        ['bank_account', 'bank_routing'],
      ],
      ['another type', { bank_type: 'offshore' }, ['bank_type']],
      ['another holder', { bank_holder_type: 'ghost' }, ['bank_holder_type']],
    ])('with %s is refused', async (_, wrong, fields) => {
      expectRefusal(await create({ ...BANK, ...wrong }), 400, 'invalid_request', fields)
    })
  })

  describe('of a customer', () => {
    it('who is not named is made together with him, in one commit and with two events', async () => {
      const { body } = await create({ ...CARD, person_name: 'Ada King Lovelace' })
      const rows = await house.world.db.query(
        `SELECT e.type, e.sequence, e.snapshot, e.xmin = m.xmin AS same_commit
         FROM payment_method m JOIN event e ON e.resource_id IN (m.id::text, m.customer_id::text)
         WHERE m.id = $1 ORDER BY e.type`,
        [body.id],
      )
      const name = { firstname: 'Ada King', lastname: 'Lovelace', id: body.customer_id }
      expect(rows).toEqual([
        {
          type: 'create_customer',
          sequence: 1,
          snapshot: expect.objectContaining(name),
          same_commit: true,
        },
        { type: 'create_payment_method', sequence: 1, snapshot: body, same_commit: true },
      ])
    })

    it('is the default if it is the first, and there is one default', async () => {
      const customer_id = await newCustomer()
      const first = await create({ ...CARD, customer_id })
      const second = await create({ ...BANK, customer_id })
      expect([first.body.is_default, second.body.is_default]).toEqual([true, false])
    })

    it('is made, and one is the default, when several come at once', async () => {
      const customer_id = await newCustomer()
      const made = await Promise.all(
        [CARD, CARD, BANK, BANK].map((one) => create({ ...one, customer_id })),
      )
      expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(made.filter(({ body }) => body.is_default)).toHaveLength(1)
    })

    it('who is unknown is 404, who is no id is 400', async () => {
      const unknown = await create({ ...CARD, customer_id: UNKNOWN })
      expectRefusal(unknown, 404, 'not_found', ['customer_id'])
      expectRefusal(await create({ ...CARD, customer_id: 'x' }), 400, 'invalid_id', ['customer_id'])
    })
  })

  describe('in the list', () => {
    it('is found by customer and by method', async () => {
      const shop = await house.merchant()
      const card = (await create(CARD, {}, shop)).body
      const bank = (await create({ ...BANK, customer_id: card.customer_id }, {}, shop)).body
      const other = (await create(CARD, {}, shop)).body
      const ids = async (query: string) =>
        (await list(query, shop)).body.data.map(({ id }: { id: string }) => id).sort()
      expect(await ids('')).toEqual([card.id, bank.id, other.id].sort())
      expect(await ids(`?customer_id=${card.customer_id}`)).toEqual([card.id, bank.id].sort())
      expect(await ids(`?customer_id=${card.customer_id.toUpperCase()}&method=bank`)).toEqual([
        bank.id,
      ])
      expect(await ids(`?customer_id=${UNKNOWN}`)).toEqual([])
      expect((await list('', shop)).body.data).toContainEqual(bank)
    })

    it.each([
      ['customer_id=x', 'invalid_id', ['customer_id']],
      ['method=cash', 'invalid_request', ['method']],
      ['limit=201', 'invalid_request', ['limit']],
      ['customer=1', 'invalid_request', ['customer']],
    ])('is not asked for by %s', async (query, code, fields) => {
      expectRefusal(await list(`?${query}`), 400, code, fields)
    })
  })

  describe('with an idempotency key', () => {
    it('is made once, and answered the same again', async () => {
      const key = { 'idempotency-key': 'card' }
      const first = await create(CARD, key)
      const again = await create(
        { ...CARD, card_number: '4111 1111 1111 1111', nickname: null },
        key,
      )
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(again.headers['idempotent-replayed']).toBe('true')
      expect((await create({ ...CARD, idempotency_id: 'card' })).text).toBe(first.text)
    })

    it('is made once, however many ask at the same moment', async () => {
      const key = { 'idempotency-key': 'at once' }
      const before = await count('customer')
      const answers = await Promise.all(Array.from({ length: 6 }, () => create(BANK, key)))
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(await count('customer')).toBe(before + 1)
    })

    it('is in conflict with another request, by the names of what differs', async () => {
      const key = { 'idempotency-key': 'conflict' }
      await create(CARD, key)
      const other = { ...CARD, card_number: '5555555555554444', card_exp: '1140', address_zip: '1' }
      const answer = await create(other, key)
      expectRefusal(answer, 409, 'idempotency_conflict', ['address_zip', 'card_exp', 'card_number'])
    })

    it('does not lose the key to a card that was refused', async () => {
      const key = { 'idempotency-key': 'refused' }
      expect((await create({ ...CARD, card_exp: '0120' }, key)).status).toBe(400)
      expect((await create({ ...CARD, customer_id: UNKNOWN }, key)).status).toBe(404)
      expect((await create(CARD, key)).status).toBe(200)
    })
  })

  describe('of a live account', () => {
    it.each([
      ['a card number', CARD],
      ['a bank account', BANK],
      ['a card number beside a token', { ...CARD, payment_method_token: 'pm_1' }],
      [
        'a CVV',
        { method: 'card', person_name: 'A', payment_method_token: 'pm_1', card_cvv: '123' },
      ],
    ])('is never made of %s', async (_, body) => {
      const live = await house.merchant('live')
      expectRefusal(await create(body, {}, live), 400, 'card_data_not_accepted')
    })

    it('needs a live gateway', async () => {
      const live = await house.merchant('live')
      const body = { method: 'card', person_name: 'Ada', payment_method_token: 'pm_1' }
      const answer = await create(body, {}, live)
      expectRefusal(answer, 503, 'no_live_gateway')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      const charge = await house.charge(live, { total: 1, payment_method_id: UNKNOWN })
      expectRefusal(charge, 503, 'no_live_gateway')
    })
  })
})
