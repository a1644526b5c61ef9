import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import { BANK, CARD } from '../support/sandbox-cards.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

describe('the customer of a payment method', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const create = (body: object, headers: object = {}, whose = merchant) =>
    call(service.app, 'POST', '/payment-method', { ...whose.headers, ...headers }, body)

  const list = (query = '', whose = merchant) =>
    call(service.app, 'GET', `/payment-method${query}`, whose.headers)

  async function newCustomer(): Promise<string> {
    const body = { firstname: 'Ada' }
    return (await call(service.app, 'POST', '/customer', merchant.headers, body)).body.id
  }

  const count = async (table: 'customer' | 'payment_method') => {
    const [row] = await service.world.db.query(`SELECT count(*)::integer AS rows FROM ${table}`)
    return row?.rows
  }

  describe('of a customer', () => {
    it('is made with it if none is named, in one commit and with two events', async () => {
      const { body } = await create({ ...CARD, person_name: 'Ada King Lovelace' })
      const rows = await service.world.db.query(
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

    it('has the first as the default, and one default only', async () => {
      const customer_id = await newCustomer()
      const first = await create({ ...CARD, customer_id })
      const second = await create({ ...BANK, customer_id })
      expect([first.body.is_default, second.body.is_default]).toEqual([true, false])
    })

    it('gets all of several simultaneous ones, and one default', async () => {
      const customer_id = await newCustomer()
      const made = await Promise.all(
        [CARD, CARD, BANK, BANK].map((one) => create({ ...one, customer_id })),
      )
      expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(made.filter(({ body }) => body.is_default)).toHaveLength(1)
    })

    it('is 404 if unknown, and 400 if the id is invalid', async () => {
      const unknown = await create({ ...CARD, customer_id: UNKNOWN })
      expectRefusal(unknown, 404, 'not_found', ['customer_id'])
      expectRefusal(await create({ ...CARD, customer_id: 'x' }), 400, 'invalid_id', ['customer_id'])
    })
  })

  describe('in the list', () => {
    it('filters the list, and so does the method', async () => {
      const another = await service.merchant()
      const card = (await create(CARD, {}, another)).body
      const bank = (await create({ ...BANK, customer_id: card.customer_id }, {}, another)).body
      const other = (await create(CARD, {}, another)).body
      const ids = async (query: string) =>
        (await list(query, another)).body.data.map(({ id }: { id: string }) => id).sort()
      expect(await ids('')).toEqual([card.id, bank.id, other.id].sort())
      expect(await ids(`?customer_id=${card.customer_id}`)).toEqual([card.id, bank.id].sort())
      expect(await ids(`?customer_id=${card.customer_id.toUpperCase()}&method=bank`)).toEqual([
        bank.id,
      ])
      expect(await ids(`?customer_id=${UNKNOWN}`)).toEqual([])
      expect((await list('', another)).body.data).toContainEqual(bank)
    })

    it.each([
      ['customer_id=x', 'invalid_id', ['customer_id']],
      ['method=cash', 'invalid_request', ['method']],
      ['limit=201', 'invalid_request', ['limit']],
      ['customer=1', 'invalid_request', ['customer']],
    ])('is not filtered by %s', async (query, code, fields) => {
      expectRefusal(await list(`?${query}`), 400, code, fields)
    })
  })

  describe('with an idempotency key', () => {
    it('is made with one customer, however many requests come at the same moment', async () => {
      const key = { 'idempotency-key': 'at once' }
      const before = await count('customer')
      await Promise.all(Array.from({ length: 6 }, () => create(BANK, key)))
      expect(await count('customer')).toBe(before + 1)
    })

    it.each([
      ['card_number', CARD, '4000000000091111'],
      ['bank_account', BANK, '1234543210'],
    ])('conflicts with another %s that ends in the same digits', async (field, body, number) => {
      const key = { 'idempotency-key': `the same end of ${field}` }
      const first = await create(body, key)
      const other = await create({ ...body, [field]: number }, key)
      expectRefusal(other, 409, 'idempotency_conflict', [field])
      expect((await create(body, key)).text).toBe(first.text)
      const rows = await service.world.db.query('SELECT request::text FROM idempotency')
      for (const one of [number, Object(body)[field]]) {
        expect(JSON.stringify(rows)).not.toContain(one.slice(0, -4))
      }
    })

    it('is repeated after an update, though the earlier version kept no digest', async () => {
      const key = { 'idempotency-key': 'earlier' }
      const first = await create(CARD, key)
      await service.world.db.query(
        `UPDATE idempotency SET request = (request::jsonb - 'number_digest')::json
        WHERE key = 'earlier'`,
      )
      expect((await create(CARD, key)).text).toBe(first.text)
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
      const live = await service.merchant('live')
      expectRefusal(await create(body, {}, live), 400, 'card_data_not_accepted')
    })

    it('needs a live gateway', async () => {
      const live = await service.merchant('live')
      const body = { method: 'card', person_name: 'Ada', payment_method_token: 'pm_1' }
      const answer = await create(body, {}, live)
      expectRefusal(answer, 503, 'no_live_gateway')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      const charge = await service.charge(live, { total: 1, payment_method_id: UNKNOWN })
      expectRefusal(charge, 503, 'no_live_gateway')
    })
  })
})
