// The fields that a payer of an invoice can send, by /pay and by a charge, and those that can be
// left out.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherCard, payableInvoice, payInvoice } from '../support/invoices.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { call } from '../support/test-service.ts'

describe('paying an invoice', () => {
  let api: PaymentsApi

  beforeAll(async () => {
    api = await openPaymentsApi()
  })
  afterAll(() => api.service.close())

  it('shows on the transaction the fields of the invoice, and those of the charge if it was one', async () => {
    const meta = { poNumber: '4711', memo: 'March' }
    const first = await payableInvoice(api, { meta })
    await api.service.world.db.query(`UPDATE invoice SET channel = 'schedule' WHERE id = $1`, [
      first,
    ])
    expect((await payInvoice(api, first)).body).toMatchObject({ meta, channel: 'schedule' })
    const second = await payableInvoice(api, { meta })
    const own = { invoice_id: second, meta: { api: 4 }, channel: 'moto' }
    expect((await api.charge(own)).body).toMatchObject({ meta: { api: 4 }, channel: 'moto' })
  })

  it('requires a payment method if the invoice has none', async () => {
    const id = await payableInvoice(api, { payment_method_id: null })
    expectRefusal(await payInvoice(api, id), 400, 'invalid_request', ['payment_method_id'])
    expect((await payInvoice(api, id, { payment_method_id: api.card })).status).toBe(200)
  })

  it('requires a payment method if that of the invoice is deleted', async () => {
    const payment_method_id = await otherCard(api)
    const id = await payableInvoice(api, { payment_method_id })
    const url = `/payment-method/${payment_method_id}`
    await call(api.service.app, 'DELETE', url, api.merchant.headers)
    expectRefusal(await payInvoice(api, id), 400, 'invalid_request', ['payment_method_id'])
    const named = await payInvoice(api, id, { payment_method_id })
    expectRefusal(named, 404, 'not_found', ['payment_method_id'])
    expect((await payInvoice(api, id, { payment_method_id: api.card })).status).toBe(200)
  })

  it('is the same request with or without the payment method that the invoice has', async () => {
    const id = await payableInvoice(api)
    const key = { 'idempotency-key': `own ${id}` }
    const first = await payInvoice(api, id, {}, key)
    const named = await payInvoice(api, id, { payment_method_id: api.card.toUpperCase() }, key)
    expect([named.status, named.text]).toEqual([200, first.text])
    const other = { payment_method_id: await otherCard(api) }
    const conflict = await payInvoice(api, id, other, key)
    expectRefusal(conflict, 409, 'idempotency_conflict', ['payment_method_id'])
  })

  it('with the key of a charge conflicts, and the other way round', async () => {
    const id = await payableInvoice(api)
    const key = { 'idempotency-key': `kind ${id}` }
    await payInvoice(api, id, {}, key)
    expectRefusal(await api.charge({ invoice_id: id }, key), 409, 'idempotency_conflict')
    const charged = { 'idempotency-key': `charge ${id}` }
    await api.charge({}, charged)
    expectRefusal(await payInvoice(api, id, {}, charged), 409, 'idempotency_conflict')
  })

  it.each([[9.99], [10.01], [100]])(
    'by a charge is not of %d, but of what is due',
    async (total) => {
      const id = await payableInvoice(api)
      const answer = await api.charge({ invoice_id: id, total })
      expectRefusal(answer, 400, 'invalid_request', ['total'])
      expect(answer.body.errors.total).toEqual(['must be 10, the balance due of the invoice'])
    },
  )

  it('by a charge is no authorisation', async () => {
    const id = await payableInvoice(api)
    const answer = await api.charge({ invoice_id: id, pre_auth: true })
    expectRefusal(answer, 400, 'invalid_request', ['pre_auth'])
    expect((await api.charge({ invoice_id: id, pre_auth: false })).status).toBe(200)
  })

  it('by a charge can come through a payment link, which is credited with it', async () => {
    const { app } = api.service
    const made = await call(app, 'POST', '/payment-link', api.merchant.headers, {
      common_name: 'Bill',
      amount: 10,
    })
    const id = await payableInvoice(api)
    const { body } = await api.charge({ invoice_id: id, payment_link_id: made.body.id })
    expect(body).toMatchObject({ invoice_id: id, payment_link_id: made.body.id })
    const url = `/query/payment-links/${made.body.id}`
    const link = await call(app, 'GET', url, api.merchant.headers)
    expect(link.body).toMatchObject({ total_sales: 10, total_transactions: 1 })
    await call(app, 'DELETE', url, api.merchant.headers)
    const late = { invoice_id: await payableInvoice(api), payment_link_id: made.body.id }
    expectRefusal(await api.charge(late), 409, 'payment_link_deleted')
  })
})
