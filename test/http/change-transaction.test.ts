// A transaction that was recorded by hand can be changed in some fields, and no other transaction
// can.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFinal, makePending } from '../support/payments.ts'
import { expectRefusal, withoutRequestId } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

let service: TestService
let merchant: Merchant
let customer: { readonly id: string }
let other: { readonly id: string }

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  merchant = await service.merchant()
  customer = await newCustomer(merchant)
  other = await newCustomer(merchant)
})
afterAll(() => service.close())

const newCustomer = async (whose: Merchant) =>
  (await call(service.app, 'POST', '/customer', whose.headers, { firstname: 'Ada' })).body

const record = async (body: object = {}, whose = merchant, headers: object = {}) => {
  const of = whose === merchant ? customer : await newCustomer(whose)
  const cash = { total: 12.5, type: 'charge', method: 'cash', customer_id: of.id }
  const all = { ...whose.headers, ...headers }
  return (await call(service.app, 'POST', '/transaction', all, { ...cash, ...body })).body
}

const change = (id: string, body: object) =>
  call(service.app, 'PUT', `/transaction/${id}`, merchant.headers, body)

const get = (id: string) => call(service.app, 'GET', `/transaction/${id}`, merchant.headers)

const eventsOf = (id: string) =>
  service.world.db.query(
    'SELECT type, sequence, snapshot FROM event WHERE resource_id = $1 ORDER BY sequence',
    [id],
  )

describe('a change of a transaction that was recorded by hand', () => {
  const first = { source: 'counter', message: 'thanks', meta: { a: 1, b: { c: 2 } } }

  it.each<[what: object, shown: object]>([
    [{ total: 99.99 }, { total: 99.99 }],
    [{ total: '0.01' }, { total: 0.01 }],
    [{ source: 'van' }, { source: 'van' }],
    [{ message: 'at the\ndoor' }, { message: 'at the\ndoor' }],
    [{ meta: { b: 3 } }, { meta: { b: 3 } }],
    [{ meta: {} }, { meta: {} }],
    [{ remove: ['source', 'message'] }, { source: null, message: null }],
    [
      { total: 1, source: 'x', message: 'y', meta: { z: 1 } },
      { total: 1, source: 'x', message: 'y', meta: { z: 1 } },
    ],
    // What the transaction is, and which caller made it, cannot be changed.
    [{ type: 'refund', method: 'check', is_manual: false, status: 'FAILED', id: UNKNOWN }, {}],
    [{}, {}],
  ])('to %j leaves all other fields as they were', async (wanted, shown) => {
    const made = await record(first)
    const { status, body } = await change(made.id, wanted)
    expect([status, body]).toEqual([200, { ...made, ...shown, updated_at: body.updated_at }])
    expect((await get(made.id)).body).toEqual(body)
  })

  it('can name another customer of the account', async () => {
    const made = await record()
    const { body } = await change(made.id, { customer_id: other.id.toUpperCase() })
    expect(body).toMatchObject({ customer_id: other.id, customer: other })
    expect(body.payment_method).toEqual(made.payment_method)
    const theirs = await newCustomer(await service.merchant())
    const foreign = await change(made.id, { customer_id: theirs.id })
    expectRefusal(foreign, 404, 'not_found', ['customer_id'])
    const unknown = await change(made.id, { customer_id: UNKNOWN })
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown))
    expect((await get(made.id)).body).toEqual(body)
  })

  it('has an event with the content of its answer', async () => {
    const made = await record()
    const changed = await change(made.id, { total: 5, message: 'mended' })
    expect(await eventsOf(made.id)).toEqual([
      { type: 'create_transaction', sequence: 1, snapshot: made },
      { type: 'update_transaction', sequence: 3, snapshot: changed.body },
    ])
  })

  it.each<[what: object, code: string, fields: readonly string[]]>([
    [{ total: 0 }, 'invalid_request', ['total']],
    [{ total: 12.345 }, 'invalid_request', ['total']],
    [{ meta: [1] }, 'invalid_request', ['meta']],
    [{ source: 5, message: {} }, 'invalid_request', ['message', 'source']],
    [{ source: 'x'.repeat(256) }, 'invalid_request', ['source']],
    [{ customer_id: 'x' }, 'invalid_id', ['customer_id']],
  ])('to %j is refused, and nothing is changed', async (wanted, code, fields) => {
    const made = await record()
    expectRefusal(await change(made.id, wanted), 400, code, fields)
    expect((await get(made.id)).body).toEqual(made)
    expect(await eventsOf(made.id)).toHaveLength(1)
  })

  it('of ten fields at once by ten callers loses none', async () => {
    const made = await record()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        change(made.id, i % 2 === 0 ? { total: i + 1 } : { source: `caller ${i}` }),
      ),
    )
    for (const { status } of answers) expect(status).toBe(200)
    const events = await eventsOf(made.id)
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21])
    const byUpdate = (one: { snapshot: object }) => JSON.stringify(one.snapshot)
    const snapshots = events.slice(1).map((event) => byUpdate(event as never))
    expect(answers.map(({ text }) => JSON.stringify(JSON.parse(text))).sort()).toEqual(
      snapshots.sort(),
    )
    const last = (await get(made.id)).body
    expect(last).toEqual(events.at(-1)?.snapshot)
    // Each field has its last change, whichever caller changed the other field since.
    expect(last.total).not.toBe(made.total)
    expect(last.source).not.toBeNull()
  })

  it('to another customer takes no second connection, so that many at once delay no other request', async () => {
    const made = await Promise.all(Array.from({ length: 16 }, () => record()))
    const startedMs = performance.now()
    const changed = await Promise.all(made.map(({ id }) => change(id, { customer_id: other.id })))
    expect(changed.map(({ status, body }) => [status, body.customer_id])).toEqual(
      made.map(() => [200, other.id]),
    )
    // One that waits for a connection which it holds itself gives up after 5 s.
    expect(performance.now() - startedMs).toBeLessThan(4_000)
  })

  it('does not change the answer to a repeat of its recording', async () => {
    const key = { 'idempotency-key': 'cash' }
    const made = await record({}, merchant, key)
    await change(made.id, { total: 99 })
    expect(await record({}, merchant, key)).toEqual(made)
  })
})

describe('a change of any other transaction', () => {
  it.each([
    ['that succeeded', () => makeFinal(service, merchant, 'SUCCESS')],
    ['that has failed', () => makeFinal(service, merchant, 'FAILED')],
    ['that is in progress', async () => (await makePending(service, merchant)).transaction],
  ])('of a payment %s is refused', async (_, make) => {
    const id = await make()
    const before = (await get(id)).body
    for (const body of [{ meta: { a: 1 } }, { total: 1 }, { message: 'x' }, {}]) {
      expectRefusal(await change(id, body), 409, 'transaction_immutable')
    }
    expect((await get(id)).body).toEqual(before)
  })

  it('that is absent, or in another account, is refused', async () => {
    const theirs = await record({}, await service.merchant())
    const foreign = await change(theirs.id, { message: 'x' })
    expectRefusal(foreign, 404, 'not_found')
    const unknown = await change(UNKNOWN, { message: 'x' })
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown))
    expectRefusal(await change('x', {}), 400, 'invalid_id', ['id'])
  })
})
