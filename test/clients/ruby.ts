// BenefitMany/stax-payments, a Ruby gem. Taken from it: the bodies that its invoices and payments
// require (totals as text, flags beside them, an idempotency key in the header and in the body), and
// what it reads of a page. Its lists of transactions ask for `/transactions`, which no server has.

import { expect, it } from 'vitest'
import { type DialectMerchant, THEIR_TIME } from './dialect-merchant.ts'

const META = {
  tax: 2,
  subtotal: 10,
  lineItems: [{ item: 'Demo Item', details: 'a regular item', quantity: 10, price: 1 }],
  isCCPaymentEnabled: true,
  internalMemo: 'internalMemo',
  memo: 'customer facing memo',
}

export function rubyClient(merchant: () => DialectMerchant): void {
  it('creates an invoice, pays it, lists it, and deletes another', async () => {
    const { json, customer, card } = merchant()
    const sent = {
      customer_id: customer,
      meta: META,
      total: '12.00',
      url: 'https://pay.example.com/#/bill/',
      send_now: false,
      is_partial_payment_enabled: true,
    }
    const { status, body } = await json('POST', '/invoice', sent)
    expect([status, body.total, body.meta]).toEqual([200, 12, META])
    const payment = { payment_method_id: card, idempotency_id: 'ruby-1', apply_balance: 12 }
    const paid = await json('POST', `/invoice/${body.id}/pay`, payment)
    expect([paid.status, paid.body.invoice_id]).toEqual([200, body.id])
    const page = await json('GET', `/invoice?customer_id=${customer}&status=PAID&limit=25`)
    expect(page.body).toMatchObject({ per_page: 25, current_page: 1, from: 1 })
    expect(page.body.data[0]).toMatchObject({ id: body.id, balance_due: 0 })
    const { body: other } = await json('POST', '/invoice', sent)
    const deleted = await json('DELETE', `/invoice/${other.id}`)
    expect([deleted.status, deleted.body.status]).toEqual([200, 'DELETED'])
  })

  it('changes an invoice, sends it, and finds it', async () => {
    const { json, customer, card } = merchant()
    const sent = { customer_id: customer, meta: META, total: '12.00', url: 'https://x.example/' }
    const { body: made } = await json('POST', '/invoice', sent)
    const path = `/invoice/${made.id}`
    const change = { meta: { subtotal: 10 }, total: '100.00', payment_method_id: card }
    const changed = await json('PUT', path, change)
    expect([changed.status, changed.body.total, changed.body.meta]).toEqual([
      200,
      100,
      { subtotal: 10 },
    ])
    const mailed = await json('PUT', `${path}/send/email`, { cc_emails: ['copy@example.com'] })
    expect([mailed.status, mailed.body.status]).toEqual([200, 'SENT'])
    expect(mailed.body.sent_at).toMatch(THEIR_TIME)
    const page = await json('GET', '/invoice?keywords=Ada&page=1&limit=25')
    expect(page.body.data[0].id).toBe(made.id)
  })

  it('repeats a charge by its key, in the header and in the body', async () => {
    const { send, card } = merchant()
    const sent = { payment_method_id: card, total: 25.5, idempotency_id: 'ruby-2', meta: META }
    const type = { 'content-type': 'application/json', 'idempotency-key': 'ruby-2' }
    const first = await send('POST', '/charge', JSON.stringify(sent), type)
    const again = await send('POST', '/charge', JSON.stringify(sent), type)
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
  })
}
