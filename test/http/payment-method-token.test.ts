// A payment method of the sandbox, made with a token instead of a number.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newLink, tokenFor } from '../support/pages.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { CARD } from '../support/sandbox-cards.ts'
import { call, type Merchant } from '../support/test-service.ts'

const BRANDS = ['visa', 'mastercard', 'amex', 'discover', 'bank']

describe('a token of the sandbox', () => {
  let api: PaymentsApi

  beforeAll(async () => {
    api = await openPaymentsApi({ queues: ['charge'], settings: { CHARGE_WAIT_MS: '20s' } })
  })
  afterAll(() => api.service.close())

  const create = (body: object, key?: string, { headers }: Merchant = api.merchant) =>
    call(
      api.service.app,
      'POST',
      '/payment-method',
      { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      { method: 'card', person_name: 'Ada Lovelace', ...body },
    )

  it.each(BRANDS)('for tests approves and declines as its card number does: %s', async (brand) => {
    const method = brand === 'bank' ? 'bank' : 'card'
    for (const [ending, status] of [
      ['approve', 'SUCCESS'],
      ['decline', 'FAILED'],
    ]) {
      const payment_method_token = `tok_sandbox_${brand}_${ending}`
      const { body } = await create({ method, payment_method_token })
      expect(body).toMatchObject({
        method,
        card_exp: method === 'card' ? '1299' : null,
        [`${method}_last_four`]: expect.stringMatching(/^\d{4}$/),
      })
      expect((await api.charge({ payment_method_id: body.id })).body.status).toBe(status)
    }
  })

  it('makes one payment method for a key, and another without a key', async () => {
    const sent = { payment_method_token: 'tok_sandbox_visa_approve' }
    const first = await create(sent, 'token')
    expect((await create(sent, 'token')).text).toBe(first.text)
    expect((await create(sent)).body.id).not.toBe(first.body.id)
    const other = await create({ payment_method_token: 'tok_sandbox_visa_decline' }, 'token')
    expectRefusal(other, 409, 'idempotency_conflict', ['payment_method_token'])
  })

  it('that a page gave a browser makes one too, for one customer and its own account', async () => {
    const path = await newLink(api.service, api.merchant)
    const payment_method_token = await tokenFor(api.service, path)
    const stranger = await api.service.merchant()
    const foreign = await create({ payment_method_token }, undefined, stranger)
    expectRefusal(foreign, 400, 'invalid_request', ['payment_method_token'])
    const { status, body } = await create({ payment_method_token })
    expect([status, body.card_last_four]).toEqual([200, '1111'])
    expect((await api.charge({ payment_method_id: body.id })).body.status).toBe('SUCCESS')
    const again = await create({ payment_method_token })
    expectRefusal(again, 400, 'invalid_request', ['payment_method_token'])
  })

  it.each([
    [{ payment_method_token: 'tok_sandbox_made_up' }],
    [{ payment_method_token: 'pm_card_visa' }],
    [{ method: 'bank', payment_method_token: 'tok_sandbox_visa_approve' }],
    [{ ...CARD, payment_method_token: 'tok_sandbox_visa_approve' }],
  ])('is refused as %j, and makes nothing', async (sent) => {
    const count = async () => {
      const [row] = await api.service.world.db.query('SELECT count(*) FROM payment_method')
      return row?.count
    }
    const before = await count()
    expectRefusal(await create(sent), 400, 'invalid_request', ['payment_method_token'])
    expect(await count()).toBe(before)
  })
})
