// A change of an invoice: of the fields that no payment has made final yet.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  customerOf,
  invoiceEvents,
  otherCard,
  payableInvoice,
  payInvoice,
  paymentUnderWay,
  toBeTriedAgain,
} from '../support/invoices.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { call } from '../support/test-service.ts'

const RETRY_AT = new Date('2027-01-01T00:00:00.000Z')

describe('a change of an invoice', () => {
  let api: PaymentsApi

  beforeAll(async () => {
    api = await openPaymentsApi({ queues: ['charge'], settings: { CHARGE_WAIT_MS: '20s' } })
  })
  afterAll(() => api.service.close())

  const ask = (method: 'GET' | 'PUT' | 'DELETE', id: string, body?: object) =>
    call(api.service.app, method, `/invoice/${id}`, api.merchant.headers, body)

  it('replaces the named fields, keeps the rest, and writes one event', async () => {
    const id = await payableInvoice(api, { meta: { memo: 'Old' }, due_at: '2027-03-01' })
    const card = await otherCard(api)
    const { body: before } = await ask('GET', id)
    const sent = { total: '25.50', payment_method_id: card, meta: { memo: 'New' } }
    const { status, body } = await ask('PUT', id, { ...sent, customer_id: await customerOf(api) })
    const { updated_at } = body
    const after = { ...before, ...sent, total: 25.5, balance_due: 25.5, updated_at }
    expect([status, body]).toEqual([200, after])
    expect((await ask('PUT', id, sent)).body).toEqual(after)
    expect((await ask('PUT', id, {})).body).toEqual(after)
    expect(await invoiceEvents(api.service, id)).toMatchObject([
      { type: 'create_invoice' },
      { type: 'update_invoice', sequence: 2, snapshot: after, same_commit: true },
    ])
    const nulls = { due_at: null, payment_method_id: null }
    expect((await ask('PUT', id, nulls)).body).toEqual(after)
    const both = { remove: ['due_at'], due_at: '2026-05-01' }
    expectRefusal(await ask('PUT', id, both), 400, 'invalid_request', ['remove'])
    const emptied = await ask('PUT', id, { remove: ['due_at', 'payment_method_id'] })
    expect(emptied.body).toMatchObject({ due_at: null, payment_method_id: null, total: 25.5 })
    expectRefusal(await payInvoice(api, id), 400, 'invalid_request', ['payment_method_id'])
    const paid = await payInvoice(api, id, { payment_method_id: card })
    expect(paid.body).toMatchObject({ status: 'SUCCESS', total: 25.5, meta: { memo: 'New' } })
  })

  it.each([
    [{ total: 0, due_at: 'soon', meta: [] }, ['due_at', 'meta', 'total']],
    [{ total: 100_000_000 }, ['total']],
    [{ customer_id: '01941f29-7c00-7000-8000-000000000001' }, ['customer_id']],
  ])('is refused as %j, and changes nothing', async (sent, fields) => {
    const id = await payableInvoice(api)
    const { body: before } = await ask('GET', id)
    expectRefusal(await ask('PUT', id, sent), 400, 'invalid_request', fields)
    expect((await ask('GET', id)).body).toEqual(before)
  })

  it('takes no payment method of another customer, and no invoice of another account', async () => {
    const id = await payableInvoice(api)
    const stranger = await api.service.card(api.merchant)
    const answer = await ask('PUT', id, { payment_method_id: stranger })
    expectRefusal(answer, 400, 'invalid_request', ['payment_method_id'])
    const { headers } = await api.service.merchant()
    const foreign = await call(api.service.app, 'PUT', `/invoice/${id}`, headers, { total: 1 })
    expectRefusal(foreign, 404, 'not_found')
  })

  it('is refused for one that is paid, being paid or deleted', async () => {
    const [paid, gone] = [await payableInvoice(api), await payableInvoice(api)]
    await payInvoice(api, paid)
    await ask('DELETE', gone)
    expectRefusal(await ask('PUT', paid, { total: 1 }), 409, 'invoice_already_paid')
    expectRefusal(await ask('PUT', gone, { total: 1 }), 409, 'wrong_state')
    const begun = await paymentUnderWay(api)
    expectRefusal(await ask('PUT', begun, { total: 1 }), 409, 'payment_under_way')
  })

  it('and a payment at the same moment: the new total is charged, or it is refused', async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = await payableInvoice(api)
      const change = () => ask('PUT', id, { total: 20 })
      const pay = () => payInvoice(api, id)
      const [one, other] = await Promise.all(
        round % 2 === 0 ? [change(), pay()] : [pay(), change()],
      )
      const [changed, charged] = round % 2 === 0 ? [one, other] : [other, one]
      expect(['SUCCESS', changed.status === 200 ? 20 : 10]).toEqual([
        charged.body.status,
        charged.body.total,
      ])
      const { body } = await ask('GET', id)
      expect([body.status, body.total_paid]).toEqual(['PAID', charged.body.total])
    }
  })

  it('in the payment method keeps the answers to repeats, and the plan of retries', async () => {
    const bad = await otherCard(api, DECLINED_CARD)
    const id = await payableInvoice(api, { payment_method_id: bad })
    const first = await payInvoice(api, id, {}, { 'idempotency-key': `first ${id}` })
    expect([first.status, first.body.status]).toEqual([400, 'FAILED'])
    await toBeTriedAgain(api.service, id, RETRY_AT)
    expect((await ask('PUT', id, { payment_method_id: api.card })).body).toMatchObject({
      status: 'ATTEMPTED',
      next_retry_at: RETRY_AT.toISOString(),
    })
    const repeat = await payInvoice(api, id, {}, { 'idempotency-key': `first ${id}` })
    expect([repeat.status, repeat.text]).toEqual([400, first.text])
    const other = { payment_method_id: api.card }
    const named = await payInvoice(api, id, other, { 'idempotency-key': `first ${id}` })
    expectRefusal(named, 409, 'idempotency_conflict', ['payment_method_id'])
    const emptied = await ask('PUT', id, { remove: ['payment_method_id'] })
    expect(emptied.body).toMatchObject({ next_retry_at: null, payment_method_id: null })
  })

  it('in the payment method lets go of the old one, which is not deleted before', async () => {
    const bad = await otherCard(api, DECLINED_CARD)
    const id = await payableInvoice(api, { payment_method_id: bad })
    await payInvoice(api, id)
    await toBeTriedAgain(api.service, id, RETRY_AT)
    const remove = () =>
      call(api.service.app, 'DELETE', `/payment-method/${bad}`, api.merchant.headers)
    const refused = await remove()
    expectRefusal(refused, 409, 'in_use')
    expect(refused.body.message).toBe(
      `the invoice ${id} is being paid with it, or will be again: give it another payment method, or delete it`,
    )
    await ask('PUT', id, { payment_method_id: api.card })
    expect((await remove()).status).toBe(200)
    expect((await ask('GET', id)).body.next_retry_at).toBe(RETRY_AT.toISOString())
  })
})
