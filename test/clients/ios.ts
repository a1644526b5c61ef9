// fattmerchantorg/Fattmerchant-iOS-SDK. Taken from it: StaxHttpClient.swift (a content type on every
// request; instants are decoded by `yyyy-MM-dd HH:mm:ss` alone), the repositories' paths, and its
// Codable models, where `isCaptured` and `isDefault` are Int, amounts Double, and one field of
// another type fails the whole answer.

import { expect, it } from 'vitest'
import { type DialectMerchant, expectTypes } from './dialect-merchant.ts'

const TRANSACTION = {
  id: 'text',
  is_captured: 'integer',
  is_manual: 'flag',
  is_refundable: 'flag',
  is_voidable: 'flag',
  success: 'flag',
  pre_auth: 'flag',
  total: 'number',
  meta: 'object',
  batched_at: 'time',
  receipt_email_at: 'time',
  receipt_sms_at: 'time',
  settled_at: 'time',
  created_at: 'time',
  updated_at: 'time',
  child_captures: 'list',
} as const

const INVOICE = {
  id: 'text',
  merchant_id: 'text',
  balance_due: 'number',
  total: 'number',
  total_paid: 'number',
  url: 'text',
  due_at: 'time',
  sent_at: 'time',
  paid_at: 'time',
  viewed_at: 'time',
  created_at: 'time',
  updated_at: 'time',
} as const

const METHOD = { is_default: 'integer', card_exp: 'text', created_at: 'time' } as const

const ITEM = {
  id: 'text',
  merchant_id: 'text',
  item: 'text',
  code: 'text',
  details: 'text',
  is_active: 'flag',
  is_taxable: 'flag',
  is_service: 'flag',
  price: 'number',
  in_stock: 'integer',
  meta: 'object',
  created_at: 'time',
  updated_at: 'time',
} as const

const MERCHANT = {
  id: 'text',
  status: 'text',
  company_name: 'text',
  display_name: 'text',
  options: 'object',
} as const

/** Cases of its enum; another one fails the answer. */
const STATUSES = ['VOID', 'DELETED', 'DRAFT', 'SENT', 'VIEWED', 'PAID', 'PARTIALLY APPLIED']

export function iosClient(merchant: () => DialectMerchant): void {
  it('reads itself: the merchant with its options, and the user', async () => {
    const { body } = await merchant().json('GET', '/self')
    expectTypes(body.merchant, MERCHANT)
    expect(body.merchant.options).toEqual({})
    expectTypes(body.user, { id: 'text', name: 'text', team_role: 'text', team_enabled: 'flag' })
  })

  it('changes a customer by sending all of it, and deletes one', async () => {
    const { json } = merchant()
    const { body: made } = await json('POST', '/customer', { firstname: 'Ada', cc_emails: [] })
    const all = { ...made, lastname: 'Lovelace' }
    const changed = await json('PUT', `/customer/${made.id}`, all)
    expect([changed.status, changed.body.lastname]).toEqual([200, 'Lovelace'])
    const deleted = await json('DELETE', `/customer/${made.id}`)
    expect([deleted.status, deleted.body.id]).toEqual([200, made.id])
  })

  it('keeps a catalogue of items, changed by sending all of one', async () => {
    const { json } = merchant()
    const sent = { item: 'Coffee', code: 'C-1', details: 'beans', price: 12.5, is_active: true }
    const { status, body } = await json('POST', '/item', { ...sent, is_taxable: false, meta: {} })
    expect(status).toBe(200)
    expectTypes(body, ITEM)
    const changed = await json('PUT', `/item/${body.id}`, { ...body, price: 13 })
    expect([changed.status, changed.body.price]).toEqual([200, 13])
    expectTypes((await json('GET', `/item/${body.id}`)).body, ITEM)
    const listed = await json('GET', '/item')
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toContain(body.id)
    expect((await json('DELETE', `/item/${body.id}`)).status).toBe(200)
  })

  it('decodes payment methods, transactions and invoices', async () => {
    const { json, customer, charged } = merchant()
    const methods = await json('GET', `/customer/${customer}/payment-method`)
    for (const one of methods.body) expectTypes(one, METHOD)
    const held = await charged({ pre_auth: true })
    const captured = await json('POST', `/transaction/${held.id}/capture`)
    expect(captured.status).toBe(200)
    expectTypes(captured.body, TRANSACTION)
    for (const child of captured.body.child_captures) expectTypes(child, TRANSACTION)
    const sent = { customer_id: customer, total: 7.25, url: 'https://pay.example.com/', meta: {} }
    const invoice = await json('POST', '/invoice', { ...sent, due_at: '2099-01-31 12:00:00' })
    expect([invoice.status, invoice.body.due_at]).toEqual([200, '2099-01-31 12:00:00'])
    expectTypes(invoice.body, INVOICE)
    expect([...STATUSES, 'ATTEMPTED']).toContain(invoice.body.status)
  })
}
