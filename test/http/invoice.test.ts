import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerOf, invoiceEvents } from '../support/invoices.ts'
import { expectRefusal, send } from '../support/requests.ts'
import { BANK } from '../support/sandbox-cards.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('an invoice', () => {
  let service: TestService
  let merchant: Merchant
  let card: string
  let customer: string

  beforeAll(async () => {
    service = await openTestService({ queues: [], settings: { PUBLIC_URL: 'https://pay.example' } })
    merchant = await service.merchant()
    card = await service.card(merchant)
    customer = await customerOf({ service, merchant, card })
  })
  afterAll(() => service.close())

  const create = (body: object, headers = {}) =>
    call(service.app, 'POST', '/invoice', { ...merchant.headers, ...headers }, body)

  const invoiceWith = (method: 'GET' | 'DELETE', id: string) =>
    call(service.app, method, `/invoice/${id}`, merchant.headers)

  const least = () => ({ total: 12.5, customer_id: customer })

  it('is a draft whose whole total is due, and GET answers the same as POST', async () => {
    const sent = {
      ...least(),
      payment_method_id: card,
      due_at: '2026-04-01 12:30:00',
      meta: { poNumber: '4711', lineItems: [{ item: 'Beans', quantity: 2, price: 6.25 }] },
    }
    const { status, body } = await create(sent)
    expect(status).toBe(200)
    const { id, url, created_at, ...rest } = body
    expect(rest).toEqual({
      status: 'DRAFT',
      total: 12.5,
      total_paid: 0,
      balance_due: 12.5,
      payment_under_way: false,
      currency: 'USD',
      customer_id: customer,
      payment_method_id: card,
      schedule_id: null,
      meta: sent.meta,
      due_at: '2026-04-01T12:30:00.000Z',
      sent_at: null,
      viewed_at: null,
      paid_at: null,
      next_retry_at: null,
      updated_at: created_at,
    })
    expect(created_at).toMatch(INSTANT)
    expect(url).toMatch(/^https:\/\/pay\.example\/bill\/[0-9a-f]{32}$/)
    expect((await invoiceWith('GET', id)).body).toEqual(body)
    expect((await invoiceWith('GET', id.toUpperCase())).body).toEqual(body)
    expect(await invoiceEvents(service, id)).toEqual([
      {
        type: 'create_invoice',
        sequence: 1,
        snapshot: body,
        request_id: expect.any(String),
        same_commit: true,
      },
    ])
  })

  it('requires a total and a customer, and nothing else', async () => {
    const { status, body } = await create(least())
    expect(status).toBe(200)
    expect(body).toMatchObject({ payment_method_id: null, due_at: null, meta: {} })
    const nulls = { ...least(), payment_method_id: null, due_at: null }
    expect((await create(nulls)).status).toBe(200)
    expectRefusal(await create({}), 400, 'invalid_request', ['customer_id', 'total'])
  })

  it('has a page with a random address that does not contain its account', async () => {
    const { body } = await create(least())
    const token = body.url.slice(-32)
    expect(
      await service.world.db.query('SELECT * FROM bill_name WHERE token = $1', [token]),
    ).toEqual([{ token, account_id: merchant.accountId, invoice_id: body.id }])
    expect((await create(least())).body.url.slice(-32)).not.toBe(token)
  })

  it.each([
    ['2026-04-01', '2026-04-01T00:00:00.000Z'],
    ['2026-04-01 08:15:00', '2026-04-01T08:15:00.000Z'],
    ['2026-04-01T08:15:00-04:00', '2026-04-01T12:15:00.000Z'],
    ['1999-12-31T23:59:59.999Z', '1999-12-31T23:59:59.999Z'],
  ])('is due at %s, which is %s', async (due_at, shown) => {
    expect((await create({ ...least(), due_at })).body.due_at).toBe(shown)
  })

  it.each([
    [{ total: 0 }, ['total']],
    [{ total: 1.005 }, ['total']],
    [{ total: 100_000_000 }, ['total']],
    [{ total: null }, ['total']],
    [{ due_at: 'soon' }, ['due_at']],
    [{ due_at: '2026-02-30' }, ['due_at']],
    [{ due_at: 5 }, ['due_at']],
    [{ currency: 'EUR' }, ['currency']],
    [{ meta: [] }, ['meta']],
    [{ customer_id: null }, ['customer_id']],
  ])('is refused as %j', async (wrong, fields) => {
    expectRefusal(await create({ ...least(), ...wrong }), 400, 'invalid_request', fields)
  })

  it.each(['customer_id', 'payment_method_id'])('requires an existing %s', async (field) => {
    expectRefusal(await create({ ...least(), [field]: 'x' }), 400, 'invalid_id', [field])
    expectRefusal(await create({ ...least(), [field]: UNKNOWN }), 404, 'not_found', [field])
  })

  it('requires a customer and a payment method of the account that belong together', async () => {
    const stranger = await service.merchant()
    const foreignCard = await service.card(stranger)
    const foreign = await customerOf({ service, merchant: stranger, card: foreignCard })
    const refusals = [
      [{ customer_id: foreign }, 404, 'not_found', ['customer_id']],
      [{ payment_method_id: foreignCard }, 404, 'not_found', ['payment_method_id']],
      [
        { payment_method_id: await service.card(merchant) },
        400,
        'invalid_request',
        ['payment_method_id'],
      ],
    ] as const
    for (const [wrong, status, code, fields] of refusals) {
      expectRefusal(await create({ ...least(), ...wrong }), status, code, fields)
    }
  })

  it('can be paid with a bank account, and not with a built-in method', async () => {
    const post = async (url: string, body: object) =>
      (await call(service.app, 'POST', url, merchant.headers, body)).body
    const bank = await post('/payment-method', { ...BANK, customer_id: customer })
    expect((await create({ ...least(), payment_method_id: bank.id })).status).toBe(200)
    const cash = { total: 1, type: 'charge', method: 'cash', customer_id: customer }
    const { payment_method_id } = await post('/transaction', cash)
    const answer = await create({ ...least(), payment_method_id })
    expectRefusal(answer, 400, 'invalid_request', ['payment_method_id'])
  })

  it('is not made for a deleted customer or with a deleted payment method', async () => {
    const gone = await service.card(merchant)
    const customer_id = await customerOf({ service, merchant, card: gone })
    const sent = { total: 1, customer_id, payment_method_id: gone }
    await call(service.app, 'DELETE', `/payment-method/${gone}`, merchant.headers)
    expectRefusal(await create(sent), 404, 'not_found', ['payment_method_id'])
    await call(service.app, 'DELETE', `/customer/${customer_id}`, merchant.headers)
    expectRefusal(await create({ ...sent, payment_method_id: null }), 404, 'not_found', [
      'customer_id',
    ])
  })

  it('is answered again for its key even if its customer is deleted by now', async () => {
    const made = await call(service.app, 'POST', '/customer', merchant.headers, { lastname: 'A' })
    const key = { 'idempotency-key': 'deleted' }
    const sent = { total: 1, customer_id: made.body.id }
    const first = await create(sent, key)
    await call(service.app, 'DELETE', `/customer/${made.body.id}`, merchant.headers)
    expect((await create(sent, key)).text).toBe(first.text)
    expectRefusal(await create(sent), 404, 'not_found', ['customer_id'])
  })

  it('cannot be patched', async () => {
    const { body } = await create(least())
    const headers = merchant.headers
    const answer = await send(service.app, { method: 'PATCH', url: `/invoice/${body.id}`, headers })
    expectRefusal(answer, 405, 'method_not_allowed')
    expect(answer.headers.allow).toBe('DELETE, GET, HEAD, PUT')
  })
})
