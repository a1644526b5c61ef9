import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '../../src/outside/clock.ts'
import { expectRefusal } from '../support/requests.ts'
import { BANK, CARD, SANDBOX_CARDS } from '../support/sandbox-cards.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const ADDRESS = {
  address_1: '12 St James’s Square',
  address_2: null,
  address_city: 'London',
  address_state: 'LDN',
  address_zip: 'SW1Y 4JH',
  address_country: 'GB',
}

describe('a payment method', () => {
  /** The first instant after a card of 06/26 has expired everywhere on Earth. */
  const clock: Clock = { now: () => new Date('2026-07-01T12:00:00.000Z') }
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [], clock })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const create = (body: object, headers: object = {}, whose = merchant) =>
    call(service.app, 'POST', '/payment-method', { ...whose.headers, ...headers }, body)

  async function newCustomer(): Promise<string> {
    const body = { firstname: 'Ada' }
    return (await call(service.app, 'POST', '/customer', merchant.headers, body)).body.id
  }

  const count = async (table: 'customer' | 'payment_method') => {
    const [row] = await service.world.db.query(`SELECT count(*)::integer AS rows FROM ${table}`)
    return row?.rows
  }

  it.each([
    ['card', ['card_number', 'card_exp']],
    ['bank', ['bank_routing', 'bank_account']],
  ])('that is a %s says which numbers are missing, rather than wrong', async (method, fields) => {
    const { body } = await create({ method, person_name: 'Ada', number: '4111111111111111' })
    expect(body.errors).toEqual(Object.fromEntries(fields.map((one) => [one, ['is required']])))
  })

  describe('that is a card', () => {
    it('is answered with the fields that can be shown', async () => {
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

    it.each(SANDBOX_CARDS)('with the number $number is a $type', async ({ number, type, cvv }) => {
      const { status, body } = await create({ ...CARD, card_number: number, card_cvv: cvv })
      expect(status).toBe(200)
      expect([body.card_type, body.card_last_four]).toEqual([type, number.slice(-4)])
    })

    it.each(['4111 1111 1111 1111', '4111-1111-1111-1111'])(
      'can be written as %s',
      async (number) => {
        const { body } = await create({ ...CARD, card_number: number })
        expect([body.card_type, body.card_last_four]).toEqual(['visa', '1111'])
      },
    )

    it.each(['0726', '0826', '1239'])('can expire in %s', async (exp) => {
      expect((await create({ ...CARD, card_exp: exp })).body.card_exp).toBe(exp)
    })

    it.each(['12/39', '122039', '12/2039'])('can expire in %s, which is 1239', async (exp) => {
      expect((await create({ ...CARD, card_exp: exp })).body.card_exp).toBe('1239')
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
      ['an expiry of another century', { card_exp: '12/1930' }, ['card_exp']],
      ['an expiry with a day', { card_exp: '12/1/30' }, ['card_exp']],
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

    it('that is refused leaves nothing behind, above all not its number', async () => {
      const before = [await count('customer'), await count('payment_method')]
      const answer = await create({ ...CARD, card_number: '4111111111111112' })
      expect(answer.text).not.toContain('4111111111111112')
      expect([await count('customer'), await count('payment_method')]).toEqual(before)
    })
  })

  describe('that is a bank account', () => {
    it('is answered with the fields that can be shown', async () => {
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
})
