// Numbers of cards and bank accounts are refused everywhere except in the fields for them, and
// other numbers are not mistaken for them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { talkersOf } from '../support/junk.ts'
import { expectRefusal } from '../support/requests.ts'
import { BANK, CARD, SANDBOX_CARDS } from '../support/sandbox-cards.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const VISA = '4111111111111111'
const NOWHERE = 'card_data_not_accepted'

/** Card numbers in the ways that people write them. */
const WRITTEN = [
  ...SANDBOX_CARDS.map(({ number }) => number),
  '4111 1111 1111 1111',
  '4111-1111-1111-1111',
  '4111.1111.1111.1111',
  '3782 822463 10005',
  '3782-822463-10005',
  'Visa 4111111111111111, until 12/30',
  '４１１１ １１１１ １１１１ １１１１',
  '4111\u00a01111\u00a01111\u00a01111',
  '4111\u200b1111\u200b1111\u200b1111',
  '4111‑1111‑1111‑1111',
]

/** Numbers of other things: orders, telephones, parcels, accounts, and times. */
const OTHERS = [
  '4111111111111112',
  '1234567812345670',
  '9400111899223197428490',
  '+1 202 555 0123, +44 20 7946 0958',
  '1772886896000',
  '2026-03-07 12:34:56',
  '01941f29-7c00-7000-8000-000000000001',
  'edc86d85-4923-4913-8321-1ea42c14d161',
  'DE89370400440532013000',
]

/** Digits of no telephone that are kept as typed: without a card's check digit, or its prefix. */
const DIGITS = ['378282246310006', '100000000000009']

describe('a card number', () => {
  let service: TestService
  const merchants = new Map<string, Merchant>()

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchants.set('live', await service.merchant('live'))
    merchants.set('sandbox', await service.merchant())
  })
  afterAll(() => service.close())

  const post = (mode: string, url: string, body: object, method: 'POST' | 'PUT' = 'POST') =>
    call(service.app, method, url, (merchants.get(mode) as Merchant).headers, body)

  it.each([
    { notes: `${'4111 '.repeat(200_000)} ${VISA}` },
    { meta: { note: `${'4111 '.repeat(200_000)} ${VISA}` } },
    { meta: Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`key ${n}`, '4111 1'])) },
  ])('is not searched for in more text than a body may hold', async (much) => {
    const answer = await post('sandbox', '/customer', { firstname: 'Ada', ...much })
    expectRefusal(answer, 400, 'invalid_request', Object.keys(much))
  })

  // Only the fields for numbers depend on the mode of an account.
  describe('on a live account', () => {
    const mode = 'live'

    it.each(WRITTEN)('is refused in free text: %s', async (written) => {
      const fields = ['firstname', 'lastname', 'company', 'notes', 'address_1', 'address_city']
      for (const field of fields) {
        const answer = await post(mode, '/customer', { firstname: 'Ada', [field]: written })
        expectRefusal(answer, 400, NOWHERE, [field])
        expect(answer.text).not.toContain(written)
      }
    })

    it.each([
      { card_number: VISA },
      { cardNumber: VISA },
      { card_number: Number(VISA) },
      { card: { number: VISA } },
      { card: [{ no: `no. ${VISA}` }] },
      { card_info: { number: VISA } },
      { card_details: { value: VISA } },
      { card: { details: { number: VISA } } },
      { payment: { card_info: { holder: { lines: [{ of: VISA }] } } } },
      { 'Credit Card': VISA },
      { cc: VISA },
      { pan: VISA },
      { cvv: '123' },
      { card: { cvc: 123 } },
      { security_code: '1234' },
      { bank_account: '9876543210' },
      { bankAccountNumber: '9876543210' },
      { anything: '4111 1111 1111 1111' },
      { memo: 'paid by 4111-1111-1111-1111' },
      { lineItems: [{ item: 'x', details: '3782 822463 10005' }] },
      { '4111 1111 1111 1111': 1 },
      { a: { b: { c: ['4111 1111 1111 1111'] } } },
    ])('is refused in meta: %j', async (meta) => {
      const answer = await post(mode, '/customer', { firstname: 'Ada', meta })
      expectRefusal(answer, 400, NOWHERE, ['meta'])
      const link = await post(mode, '/payment-link', { common_name: 'A', link_meta: meta })
      expectRefusal(link, 400, NOWHERE, ['link_meta'])
    })

    it.each(OTHERS)('is not found in %s', async (written) => {
      const body = { firstname: written, notes: written, meta: { card_number: written } }
      expect((await post(mode, '/customer', body)).status).toBe(200)
    })

    it.each([...WRITTEN, '378282246310005', '(3782) 822463  10005', '3056 930902 5904'])(
      'is refused in place of a telephone number: %s',
      async (written) => {
        for (const field of ['phone', 'cc_sms', 'ccSms']) {
          const sent = field === 'phone' ? written : ['+12025550123', written]
          const answer = await post(mode, '/customer', { firstname: 'Ada', [field]: sent })
          expectRefusal(answer, 400, NOWHERE, [field])
        }
      },
    )

    it.each(['+12025550123', '(202) 555-0123', '+44 20 7946 0958', '+4915123456789', ...DIGITS])(
      'is not found in the telephone number %s',
      async (phone) => {
        expect((await post(mode, '/customer', { firstname: 'Ada', phone })).status).toBe(200)
      },
    )

    it('is not found in the id of an order or a reference, whatever its digits', async () => {
      const meta = {
        order_number: VISA,
        reference: VISA,
        id: Number(VISA),
        lineItems: [{ item: VISA }],
        card_last_four: '1111',
        account_number: '9876543210',
        cvv_result: 'M',
        code: '123',
      }
      const body = { firstname: 'Ada', reference: VISA, meta, idempotency_id: VISA }
      const { status, body: made } = await post(mode, '/customer', body)
      expect([status, made.meta, made.reference]).toEqual([200, meta, VISA])
    })

    it.each(['reference', 'idempotency_id'])(
      'is refused in %s if it is grouped as on a card',
      async (name) => {
        const body = { firstname: 'Ada', [name]: '4111 1111 1111 1111' }
        expectRefusal(await post(mode, '/customer', body), 400, NOWHERE, [name])
      },
    )

    it('is refused in the header Idempotency-Key, too', async () => {
      const headers = { 'idempotency-key': '4111 1111 1111 1111' }
      const own = merchants.get(mode) as Merchant
      const answer = await call(
        service.app,
        'POST',
        '/customer',
        { ...own.headers, ...headers },
        { firstname: 'Ada' },
      )
      expectRefusal(answer, 400, NOWHERE, ['Idempotency-Key'])
    })

    it.each(['item', 'code', 'details'])('is refused in %s of an item', async (name) => {
      const body = { item: 'Tea', [name]: 'Card 4111-1111-1111-1111' }
      expectRefusal(await post(mode, '/item', body), 400, NOWHERE, [name])
    })
  })

  it('is reported before any other fault, on every route that takes a body', async () => {
    const sandbox = merchants.get('sandbox') as Merchant
    for (const { route, method, url, body } of (await talkersOf(service, sandbox)).values()) {
      if (body === undefined) continue
      const sent = { notes: VISA, total: 'x', firstname: 5 }
      const answer = await post('live', url, sent, method as 'POST')
      // A team without live accounts gets this fault too, and before the refusal of its key.
      expect([route, answer.status, answer.body.error]).toEqual([route, 400, NOWHERE])
    }
  })

  it('goes into the fields for it in the sandbox, and in live mode not even there', async () => {
    for (const body of [CARD, BANK]) {
      expect((await post('sandbox', '/payment-method', body)).status).toBe(200)
      const live = await post('live', '/payment-method', { ...body, method: 'neither' })
      expectRefusal(live, 400, NOWHERE)
      expect(live.body.errors).toBeUndefined()
    }
    for (const field of ['card_number', 'card_cvv', 'bank_account']) {
      expectRefusal(await post('live', '/customer', { [field]: '1' }), 400, NOWHERE)
    }
    for (const other of [{ person_name: VISA }, { meta: { pan: VISA } }, { phone: VISA }]) {
      const sent = { ...CARD, ...other }
      const fields = Object.keys(other)
      expectRefusal(await post('sandbox', '/payment-method', sent), 400, NOWHERE, fields)
    }
  })
})
