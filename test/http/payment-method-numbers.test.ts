// The number of a payment method cannot be changed: a number that is sent for one is stored
// nowhere.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import { CARD } from '../support/sandbox-cards.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const NUMBERS = {
  card_number: '5555555555554444',
  card_cvv: '0987',
  bank_account: '9876501234',
}

const OTHERS = { bank_routing: '021000089', payment_method_token: 'tok_sandbox_other' }

/** The answer without the id, which is random: a short number may well be in it. */
function said({ text, body }: Awaited<ReturnType<typeof call>>): string {
  return text.replaceAll(body.request_id, '')
}

describe('a number sent for an existing payment method', () => {
  const logged: string[] = []
  let service: TestService
  let merchant: Merchant
  let live: Merchant
  let url: string

  beforeAll(async () => {
    const log = { write: (line: string) => logged.push(line) }
    service = await openTestService({ queues: [], log })
    service.world.log.level = 'trace'
    merchant = await service.merchant()
    live = await service.merchant('live')
    url = `/payment-method/${await service.card(merchant)}`
  })
  afterAll(() => service.close())

  const put = (body: object, { headers } = merchant) => call(service.app, 'PUT', url, headers, body)

  it.each(Object.entries({ ...NUMBERS, ...OTHERS }))(
    'is refused in the sandbox by the name of its field (%s), beside all other faults',
    async (field, value) => {
      const before = await call(service.app, 'GET', url, merchant.headers)
      const answer = await put({ [field]: value, nickname: 5 })
      expectRefusal(answer, 400, 'invalid_request', [field, 'nickname'].sort())
      const fault = 'cannot be changed: make another payment method'
      expect(answer.body.errors[field]).toEqual([fault])
      expect(said(answer)).not.toContain(value)
      expect((await call(service.app, 'GET', url, merchant.headers)).body).toEqual(before.body)
    },
  )

  it.each(Object.entries(NUMBERS))(
    'is refused in live mode as card data (%s)',
    async (field, value) => {
      for (const sent of [value, Number(value), [value]]) {
        const answer = await put({ [field]: sent, nickname: 5 }, live)
        expectRefusal(answer, 400, 'card_data_not_accepted')
        expect(said(answer)).not.toContain(value)
      }
    },
  )

  it.each(Object.entries(OTHERS))(
    'that is invalid is refused in live mode by its field (%s)',
    async (field, value) =>
      expectRefusal(await put({ [field]: value }, live), 400, 'invalid_request', [field]),
  )

  it.each([5555555555554444, ['5555555555554444'], { a: '5555555555554444' }, true])(
    'is refused whatever it is: %j',
    async (card_number) => {
      expectRefusal(await put({ card_number }), 400, 'invalid_request', ['card_number'])
      expectRefusal(await put({ card_number }, live), 400, 'card_data_not_accepted')
    },
  )

  it('is ignored if it is null', async () => {
    expect((await put({ card_number: null, bank_account: null })).status).toBe(200)
    expectRefusal(await put({ card_number: null }, live), 404, 'not_found')
  })

  it('is in no line of the log and in no row', async () => {
    const found = await Promise.all(
      ['payment_method', 'customer', 'event', 'idempotency', 'sandbox_gateway_token'].map((table) =>
        service.world.db.query(`SELECT t::text AS row FROM ${table} t`),
      ),
    )
    const rows = found.flat().map(({ row }) => row)
    expect(rows.length).toBeGreaterThan(2)
    expect(rows.join()).toContain(CARD.card_number.slice(-4)) // This is a control.
    expect(logged.length).toBeGreaterThan(10)
    for (const number of [NUMBERS.card_number, NUMBERS.bank_account]) {
      expect(logged.filter((line) => line.includes(number))).toEqual([])
      expect(rows.filter((row) => row.includes(number))).toEqual([])
    }
  })
})
