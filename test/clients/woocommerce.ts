// wpstriker/woocommerce-stax-payment-gateway. Taken from it: the one call that it makes of the API,
// POST /charge with an order's total as text, and that it decides by `success` of the body, whatever
// the status, and shows `message` and `id`.

import { expect, it } from 'vitest'
import type { DialectMerchant } from './dialect-merchant.ts'

const META = { order_id: 4711, user_id: 3, stax_customer_id: 'x', email: 'ada@example.com' }

export function wooCommerce(merchant: () => DialectMerchant): void {
  it('takes a payment for an order, and keeps its own fields of meta', async () => {
    const { json, card } = merchant()
    const sent = { payment_method_id: card, meta: META, total: '12.50', pre_auth: false }
    const { status, body } = await json('POST', '/charge', sent)
    expect([status, body.success, body.total, body.meta]).toEqual([200, true, 12.5, META])
  })

  it('reads a decline like any other answer', async () => {
    const { json, customer } = merchant()
    const card = { method: 'card', person_name: 'Ada Lovelace', card_number: '4012888888881881' }
    const made = await json('POST', '/payment-method', {
      ...card,
      card_exp: '1239',
      customer_id: customer,
    })
    const sent = { payment_method_id: made.body.id, meta: META, total: '12.50', pre_auth: false }
    const { status, body } = await json('POST', '/charge', sent)
    expect([status, body.success, body.is_captured]).toEqual([400, false, 0])
    expect(body.message).toMatch(/\S/)
    expect(body.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(body.payment_method.card_exp).toBe('122039')
  })
}
