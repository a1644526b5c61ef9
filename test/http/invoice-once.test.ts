import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerOf, invoiceEvents } from '../support/invoices.ts'
import { expectRefusal } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

describe('an invoice that is made with an idempotency key', () => {
  let service: TestService
  let merchant: Merchant
  let card: string
  let customer: string

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    card = await service.card(merchant)
    customer = await customerOf({ service, merchant, card })
  })
  afterAll(() => service.close())

  const create = (body: object, headers = {}) =>
    call(service.app, 'POST', '/invoice', { ...merchant.headers, ...headers }, body)

  const least = () => ({ total: 12.5, customer_id: customer })

  const count = async () =>
    (await call(service.app, 'GET', '/invoice', merchant.headers)).body.total as number

  it('is made once, in whichever form the request is written', async () => {
    const key = { 'idempotency-key': 'once' }
    const before = await count()
    const first = await create({ ...least(), due_at: '2026-04-01' }, key)
    const same = { total: '12.50', customer_id: customer.toUpperCase(), currency: 'USD' }
    const again = await create({ ...same, due_at: '2026-04-01T00:00:00Z', meta: {} }, key)
    const inBody = { ...least(), due_at: '2026-04-01', idempotency_id: 'once' }
    expect([again.status, again.text]).toEqual([200, first.text])
    expect((await create(inBody)).text).toBe(first.text)
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(await count()).toBe(before + 1)
    expect(await invoiceEvents(service, first.body.id)).toHaveLength(1)
  })

  it('is made once, however many requests come at the same moment', async () => {
    const key = { 'idempotency-key': 'at once' }
    const before = await count()
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(least(), key)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await count()).toBe(before + 1)
  })

  it('conflicts with another request, and names the fields that differ', async () => {
    const key = { 'idempotency-key': 'conflict' }
    await create(least(), key)
    const other = {
      total: 1,
      customer_id: UNKNOWN,
      payment_method_id: card,
      due_at: '2026-01-01',
    }
    const fields = ['customer_id', 'due_at', 'payment_method_id', 'total']
    expectRefusal(await create(other, key), 409, 'idempotency_conflict', fields)
  })

  it('is answered again even if its customer is deleted by now', async () => {
    const made = await call(service.app, 'POST', '/customer', merchant.headers, { lastname: 'A' })
    const key = { 'idempotency-key': 'deleted' }
    const sent = { total: 1, customer_id: made.body.id }
    const first = await create(sent, key)
    await call(service.app, 'DELETE', `/customer/${made.body.id}`, merchant.headers)
    expect((await create(sent, key)).text).toBe(first.text)
    expectRefusal(await create(sent), 404, 'not_found', ['customer_id'])
  })

  it('leaves the key free after a refused request', async () => {
    const key = { 'idempotency-key': 'refused' }
    expect((await create({ ...least(), customer_id: UNKNOWN }, key)).status).toBe(404)
    expect((await create(least(), key)).status).toBe(200)
  })
})
