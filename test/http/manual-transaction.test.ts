// Cash and checks, as a merchant records them by hand.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AMOUNTS, NO_AMOUNTS } from '../support/amounts.ts'
import { changedMeanwhile } from '../support/changed-meanwhile.ts'
import { expectRefusal, JSON_TYPE, send, withoutRequestId } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let service: TestService
let merchant: Merchant
let customer: { readonly id: string }

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  merchant = await service.merchant()
  customer = await newCustomer(merchant)
})
afterAll(() => service.close())

const newCustomer = async (whose: Merchant) => {
  const ada = { firstname: 'Ada', company: 'Analytical Engines' }
  return (await call(service.app, 'POST', '/customer', whose.headers, ada)).body
}

const record = (body: object = {}, headers: object = {}, whose = merchant) => {
  const cash = { total: 12.5, type: 'charge', method: 'cash', customer_id: customer.id }
  const all = { ...whose.headers, ...headers }
  return call(service.app, 'POST', '/transaction', all, { ...cash, ...body })
}

const get = (id: string) => call(service.app, 'GET', `/transaction/${id}`, merchant.headers)

describe('a transaction recorded by hand', () => {
  it.each([
    ['charge', 'cash'],
    ['charge', 'check'],
    ['refund', 'cash'],
    ['refund', 'check'],
    ['credit', 'cash'],
    ['credit', 'check'],
  ])('as a %s by %s is stored, and has no follow-up', async (type, method) => {
    const said = { type, method, source: 'counter', message: 'thanks', meta: { order: 7 } }
    const { status, body } = await record({ ...said, total: '12.50' })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...said,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      status: 'SUCCESS',
      success: true,
      decline_code: null,
      retry: null,
      total: 12.5,
      total_refunded: 0,
      currency: 'USD',
      pre_auth: false,
      is_captured: type === 'charge',
      hold_ended_at: null,
      is_voided: false,
      is_voidable: false,
      is_refundable: false,
      is_manual: true,
      channel: null,
      customer_id: customer.id,
      payment_method_id: body.payment_method.id,
      invoice_id: null,
      schedule_id: null,
      payment_link_id: null,
      reference_id: null,
      auth_id: null,
      batch_id: null,
      batched_at: null,
      settled_at: null,
      idempotency_id: null,
      gateway_name: null,
      last_four: null,
      receipt_email_at: null,
      receipt_sms_at: null,
      created_at: expect.stringMatching(TIME),
      updated_at: body.created_at,
      customer,
      payment_method: expect.objectContaining({ method, customer_id: null, card_last_four: null }),
      child_transactions: [],
      child_captures: [],
    })
    expect((await get(body.id)).body).toEqual(body)
    for (const operation of ['void', 'refund', 'void-or-refund', 'capture']) {
      const url = `/transaction/${body.id}/${operation}`
      const answer = await call(service.app, 'POST', url, merchant.headers)
      expectRefusal(answer, 409, 'wrong_state')
    }
  })

  it('requires no more than the required fields', async () => {
    for (const { body } of [await record(), await record({ source: null, message: null })]) {
      expect(body).toMatchObject({ source: null, message: null, meta: {} })
    }
  })

  it('asks no gateway, has no pending work, and has its event in its own commit', async () => {
    const { body } = await record({}, { 'x-request-id': 'by-hand' })
    const rows = await service.world.db.query(
      `SELECT t.owed, t.due_at, t.gateway_name, e.type, e.sequence, e.snapshot, e.request_id,
         e.xmin = t.xmin AS same_commit
       FROM transaction t JOIN event e ON e.resource_id = t.id::text WHERE t.id = $1`,
      [body.id],
    )
    expect(rows).toEqual([
      {
        owed: null,
        due_at: null,
        gateway_name: null,
        type: 'create_transaction',
        sequence: 1,
        snapshot: body,
        request_id: 'by-hand',
        same_commit: true,
      },
    ])
  })

  it.each(AMOUNTS)('can be for %s', async (total, cents) => {
    const answer = await sent(`"total":${total}`)
    expect([answer.status, answer.body.total]).toEqual([200, Number(cents) / 100])
  })

  it('is refused for anything that is no amount', async () => {
    for (const total of NO_AMOUNTS) {
      expectRefusal(await sent(`"total":${total}`), 400, 'invalid_request', ['total'])
    }
  })

  it.each<[what: object, fields: readonly string[]]>([
    [{ total: undefined }, ['total']],
    [{ type: undefined }, ['type']],
    [{ method: undefined, customer_id: undefined }, ['customer_id', 'method']],
    [{ method: 'card' }, ['method']],
    [{ method: 'bank' }, ['method']],
    [{ type: 'void' }, ['type']],
    [{ type: 'capture' }, ['type']],
    [{ type: 'pre_auth' }, ['type']],
    [{ type: 'CHARGE' }, ['type']],
    [{ source: 5 }, ['source']],
    [{ source: 'x'.repeat(256) }, ['source']],
    [{ message: 'x'.repeat(10_001) }, ['message']],
    [{ message: 'a\u0000b' }, ['message']],
    [{ meta: [] }, ['meta']],
    [{ meta: { a: 'x'.repeat(16 * 1024) } }, ['meta']],
    [{ total: -1, type: 1, method: null, meta: 5 }, ['meta', 'method', 'total', 'type']],
  ])('is refused as %j, and every faulty field is named', async (change, fields) => {
    expectRefusal(await record(change), 400, 'invalid_request', fields)
  })

  it('has a customer of the account', async () => {
    const theirs = await newCustomer(await service.merchant())
    const foreign = await record({ customer_id: theirs.id })
    expectRefusal(foreign, 404, 'not_found', ['customer_id'])
    const unknown = await record({ customer_id: UNKNOWN })
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown))
    expectRefusal(await record({ customer_id: 'x' }), 400, 'invalid_id', ['customer_id'])
    const { body } = await record({ customer_id: customer.id.toUpperCase() })
    expect(body.customer_id).toBe(customer.id)
  })

  const sent = (total: string) =>
    send(service.app, {
      method: 'POST',
      url: '/transaction',
      headers: { ...merchant.headers, ...JSON_TYPE },
      payload: `{"type":"charge","method":"cash","customer_id":"${customer.id}",${total}}`,
    })
})

describe('a clock that is set just before a transaction by hand is written', () => {
  const AT = '2099-03-01T12:00:00.000Z'

  it.each(['recorded', 'changed', 'paid'])('dates one that is %s', async (how) => {
    const own = await service.merchant()
    const post = (url: string, body: object) => call(service.app, 'POST', url, own.headers, body)
    const customer_id = (await newCustomer(own)).id
    const cash = { total: 12.5, type: 'charge', method: 'cash', customer_id }
    const { id } = (await post('/transaction', cash)).body
    const invoice = (await post('/invoice', { total: 10, customer_id })).body.id
    const send = {
      recorded: () => post('/transaction', cash),
      changed: () => call(service.app, 'PUT', `/transaction/${id}`, own.headers, { source: 'web' }),
      paid: () => post(`/invoice/${invoice}/pay/cash`, {}),
    }[how]
    if (send === undefined) throw new Error('there are three ways')
    const sql = 'UPDATE account SET clock_at = $2 WHERE id = $1'
    const values = [own.accountId, AT]
    const { body } = await changedMeanwhile(service, { sql, values }, send)
    expect(body).toMatchObject({ updated_at: AT })
    const [event] = await service.world.db.query(
      'SELECT created_at FROM event WHERE resource_id = $1 ORDER BY sequence DESC LIMIT 1',
      [body.id],
    )
    expect(event).toEqual({ created_at: new Date(AT) })
  })
})
