// The fields of an invoice's payment beside the payment method.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payableInvoice } from '../support/invoices.ts'
import { expectRefusal } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

describe('a payment of an invoice', () => {
  let service: TestService
  let merchant: Merchant
  let card: string

  beforeAll(async () => {
    service = await openTestService({ queues: [], settings: { CHARGE_WAIT_MS: '0' } })
    merchant = await service.merchant()
    card = await service.card(merchant)
  })
  afterAll(() => service.close())

  const invoice = (body: object = {}) => payableInvoice({ service, merchant, card }, body)

  const pay = (id: string, body: object, headers = {}) =>
    call(service.app, 'POST', `/invoice/${id}/pay`, { ...merchant.headers, ...headers }, body)

  it.each([5, '5.00', 99_999_999.99, 0.01])('cannot pay %j alone', async (apply_balance) => {
    const answer = await pay(await invoice({ total: 12.5 }), { apply_balance })
    expectRefusal(answer, 400, 'partial_payment_not_supported', ['apply_balance'])
    expect(answer.body.message).toContain('12.5')
  })

  it.each([12.5, '12.50', null])('can state %j as the amount due', async (apply_balance) => {
    const { status, body } = await pay(await invoice({ total: 12.5 }), { apply_balance })
    expect([status, body.total]).toEqual([200, 12.5])
  })

  it.each([0, -1, 'all', true, 12.505])('refuses %j as an amount', async (apply_balance) => {
    const answer = await pay(await invoice(), { apply_balance })
    expectRefusal(answer, 400, 'invalid_request', ['apply_balance'])
  })

  it.each(['apply_balnce', 'applyBalance', 'amount', 'total', 'email_receipt'])(
    'passes over no %s',
    async (field) => {
      const answer = await pay(await invoice(), { [field]: 1 })
      expectRefusal(answer, 400, 'unknown_field', [field])
    },
  )

  it('has a meta of its own, or that of the invoice', async () => {
    const own = await pay(await invoice({ meta: { a: 1 } }), { meta: { b: 2 } })
    expect([own.status, own.body.meta]).toEqual([200, { b: 2 }])
    const none = await pay(await invoice({ meta: { a: 1 } }), {})
    expect([none.status, none.body.meta]).toEqual([200, { a: 1 }])
  })

  it('with another meta or another balance is another request', async () => {
    const id = await invoice({ total: 12.5 })
    const key = { 'idempotency-key': 'once' }
    const first = await pay(id, { apply_balance: 12.5, meta: { a: 1 } }, key)
    const again = await pay(id, { apply_balance: '12.50', meta: { a: 1 } }, key)
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
    const other = await pay(id, { apply_balance: 12, meta: { a: 2 } }, key)
    expectRefusal(other, 409, 'idempotency_conflict', ['apply_balance', 'meta'])
  })
})
