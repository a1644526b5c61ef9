// fattmerchantorg/fattmerchant-android-sdk. Taken from it: OmniApi.kt (paths, methods; a void posts
// an empty body to a path with a doubled slash, a capture none), its models with the types that Gson
// reads (`isCaptured` and `isDefault` are Int, amounts are String), and that it leaves nulls out.

import { expect, it } from 'vitest'
import type { Answer } from '../support/test-service.ts'
import { type DialectMerchant, expectTypes } from './dialect-merchant.ts'

const TYPES_OF_TRANSACTION = {
  id: 'text',
  auth_id: 'text',
  created_at: 'text',
  customer_id: 'text',
  is_captured: 'integer',
  is_manual: 'flag',
  is_refundable: 'flag',
  is_voidable: 'flag',
  is_voided: 'flag',
  merchant_id: 'text',
  message: 'text',
  method: 'text',
  payment_method_id: 'text',
  pre_auth: 'flag',
  success: 'flag',
  // Gson takes a number where it expects text.
  total: 'number',
  total_refunded: 'number',
  type: 'text',
} as const

const TYPES_OF_METHOD = {
  card_exp: 'text',
  created_at: 'text',
  customer_id: 'text',
  is_default: 'integer',
  merchant_id: 'text',
  person_name: 'text',
} as const

const readTransaction = (body: Answer['body']) => expectTypes(body, TYPES_OF_TRANSACTION)

export function androidClient(merchant: () => DialectMerchant): void {
  it('finds its merchant', async () => {
    const { json, accountId } = merchant()
    const { status, body } = await json('GET', '/self')
    expect([status, body.merchant.id, typeof body.merchant.options]).toEqual([
      200,
      accountId,
      'object',
    ])
  })

  it('creates a customer, a card and an invoice', async () => {
    const { json } = merchant()
    const customer = await json('POST', '/customer', { firstname: 'Ada', lastname: 'Lovelace' })
    const made = await json('POST', '/payment-method', {
      card_exp: '1239',
      customer_id: customer.body.id,
      method: 'card',
      person_name: 'Ada Lovelace',
      card_number: '4111111111111111',
      card_cvv: '123',
      tokenize: true,
    })
    expect([made.status, made.body.card_exp, made.body.is_default]).toEqual([200, '122039', 1])
    expectTypes(made.body, TYPES_OF_METHOD)
    const invoice = await json('POST', '/invoice', {
      url: 'https://pay.example.com/#/bill/',
      customer_id: customer.body.id,
      meta: { subtotal: 12.5 },
      total: '12.50',
    })
    expect([invoice.status, invoice.body.total]).toEqual([200, 12.5])
    expectTypes(invoice.body, { id: 'text', url: 'text', customer_id: 'text', meta: 'object' })
    expect((await json('GET', `/invoice/${invoice.body.id}`)).body).toEqual(invoice.body)
    expect((await json('GET', '/invoice')).body.data[0].id).toBe(invoice.body.id)
    const changed = { ...invoice.body, total: '15.00', meta: { subtotal: 15 } }
    const put = await json('PUT', `/invoice/${invoice.body.id}`, changed)
    expect([put.status, put.body.total, put.body.meta]).toEqual([200, 15, { subtotal: 15 }])
  })

  it('charges, and voids by a doubled slash and an empty body', async () => {
    const { json, send, card } = merchant()
    const sent = { payment_method_id: card, total: '12.50', pre_auth: false, meta: { tax: 1 } }
    const { status, body } = await json('POST', '/charge', sent)
    expect([status, body.is_captured, body.total]).toEqual([200, 1, 12.5])
    readTransaction(body)
    const type = { 'content-type': 'application/json' }
    const voided = await send('POST', `//transaction/${body.id}/void`, '', type)
    expect([voided.status, voided.body.is_voided]).toEqual([200, true])
    readTransaction(voided.body)
  })

  it('captures an authorization without a body, and voids or refunds by text', async () => {
    const { json, send, charged } = merchant()
    const held = await charged({ pre_auth: true })
    expect(held.is_captured).toBe(0)
    const captured = await send('POST', `//transaction/${held.id}/capture`)
    expect([captured.status, captured.body.is_captured]).toEqual([200, 1])
    readTransaction(captured.body)
    for (const child of captured.body.child_captures) readTransaction(child)
    const { id } = await charged()
    const body = { total: '10.00' }
    const undone = await json('POST', `/transaction/${id}/void-or-refund`, body)
    expect([undone.status, undone.body.is_voided]).toEqual([200, true])
  })

  it('lists transactions', async () => {
    const { body } = await merchant().json('GET', '/transaction')
    expect(body.data.length).toBeGreaterThan(0)
    for (const one of body.data) readTransaction(one)
  })
}
