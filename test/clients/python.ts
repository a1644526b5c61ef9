// fattmerchantorg/fattmerchant_python_client. Taken from it: its controllers (paths, bodies, what
// they require), its request class (`requests` with json.dumps and a content type on every method),
// and its models, which read each instant with strptime('%Y-%m-%d %H:%M:%S') and raise otherwise.

import { expect, it } from 'vitest'
import { takeIntoBatch } from '../support/batch.ts'
import type { Answer } from '../support/test-service.ts'
import { type DialectMerchant, expectTypes } from './dialect-merchant.ts'

const TIMES_OF_TRANSACTION = ['batched_at', 'settled_at', 'created_at', 'updated_at'] as const
const TIMES_OF_OTHERS = ['created_at', 'updated_at', 'deleted_at', 'purged_at'] as const

function read(body: Answer['body'], times: readonly string[]): void {
  expectTypes(body, Object.fromEntries(times.map((name) => [name, 'time'])))
}

function readTransaction(body: Answer['body']): void {
  read(body, TIMES_OF_TRANSACTION)
  read(body.customer, TIMES_OF_OTHERS)
  read(body.payment_method, TIMES_OF_OTHERS)
  for (const child of body.child_transactions) read(child, TIMES_OF_TRANSACTION)
}

/** The complete dictionary of its documentation. */
const CUSTOMER = {
  firstname: 'John',
  lastname: 'Smith',
  company: 'ABC INC',
  email: 'john@example.com',
  files: [],
  phone: '1234567898',
  merchant_id: '12345678',
  address_1: '123 Rite Way',
  address_2: 'Unit 12',
  address_city: 'Orlando',
  address_state: 'FL',
  address_zip: '32801',
  address_country: 'USA',
  reference: '',
  cc_emails: [],
  cc_sms: [],
  notes: '',
  options: {},
  allow_invoice_credit_card_payments: true,
}

export function pythonClient(merchant: () => DialectMerchant): void {
  it('creates, lists and gets customers, and their payment methods as a bare list', async () => {
    const { json, customer } = merchant()
    const made = await json('POST', '/customer', CUSTOMER)
    expect(made.status).toBe(200)
    expect(made.body).toMatchObject({ phone: '1234567898', cc_emails: [], company: 'ABC INC' })
    read(made.body, TIMES_OF_OTHERS)
    const listed = await json('GET', '/customer')
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toContain(made.body.id)
    for (const one of listed.body.data) read(one, TIMES_OF_OTHERS)
    read((await json('GET', `/customer/${made.body.id}`)).body, TIMES_OF_OTHERS)
    const methods = await json('GET', `/customer/${customer}/payment-method`)
    expect(methods.body).toHaveLength(1)
    for (const one of methods.body) read(one, TIMES_OF_OTHERS)
  })

  it('charges, lists by pages, and gets a transaction', async () => {
    const { json, card } = merchant()
    const sent = { payment_method_id: card, meta: { tax: 4, subtotal: 20 }, total: 24.5 }
    for (const more of [{}, { pre_auth: true }]) {
      const { status, body } = await json('POST', '/charge', { ...sent, ...more })
      expect([status, body.success, body.total, body.meta]).toEqual([200, true, 24.5, sent.meta])
      readTransaction(body)
      const got = await json('GET', `/transaction/${body.id}`)
      expect(got.body).toMatchObject({ id: body.id, gateway_name: body.gateway_name })
      readTransaction(got.body)
    }
    const page = await json('GET', '/transaction?per_page=1&page=2')
    expect(page.body).toMatchObject({ per_page: 1, current_page: 2 })
    expect(page.body.data).toHaveLength(1)
    for (const one of page.body.data) readTransaction(one)
  })

  it('refunds a part', async () => {
    const { service, json, charged } = merchant()
    const { id } = await charged()
    await takeIntoBatch(service, [id])
    const { status, body } = await json('POST', `/transaction/${id}/refund`, { total: 2.5 })
    expect([status, body.total_refunded]).toEqual([200, 2.5])
    expect(body.child_transactions).toMatchObject([{ type: 'refund', total: 2.5, success: true }])
    expect(body.settled_at).not.toBeNull()
    readTransaction(body)
  })

  it('lists deposits within a span, and the content of one', async () => {
    const { service, json, charged } = merchant()
    const { id } = await charged()
    await takeIntoBatch(service, [id])
    const { batch_id: batch } = (await json('GET', `/transaction/${id}`)).body
    const span = 'startDate=2020-01-01 00:00:00&endDate=2099-12-31 00:00:00'.replaceAll(' ', '%20')
    const listed = await json('GET', `/query/deposit?${span}`)
    const found = listed.body.data.find((one: { batch_id: string }) => one.batch_id === batch)
    expect(found).toMatchObject({ count: 1, sum: 10, avg: 10 })
    read(found, ['batched_at'])
    const detail = await json('GET', `/query/depositDetail?${span}&batchId=${batch}`)
    expect(detail.body.data).toMatchObject([{ batch_id: batch, total: 10, last_four: '1111' }])
    read(detail.body.data[0], ['batched_at', 'created_at'])
    const { text } = await json('GET', '/query/deposit?export=csv')
    expect(text).not.toMatch(/\d{4}-\d\d-\d\dT/)
  })

  it('recognises faults by the status', async () => {
    const { json, send } = merchant()
    const unknown = '01941f29-7c00-7000-8000-000000000009'
    expect((await json('GET', `/transaction/${unknown}`)).status).toBe(404)
    expect((await json('POST', '/charge', { total: 1, meta: {} })).status).toBe(400)
    const stranger = await send('GET', '/customer', undefined, { authorization: 'Bearer x' })
    expect(stranger.status).toBe(401)
  })
}
