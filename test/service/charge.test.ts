import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BANK, CARD, DECLINED_CARD, SANDBOX_CARDS } from '../support/sandbox-cards.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

describe('a charge', () => {
  let service: TestService
  let merchant: Merchant
  let card: string

  beforeAll(async () => {
    service = await openTestService()
    merchant = await service.merchant()
    card = await service.card(merchant)
  })
  afterAll(() => service.close())

  const charge = (body: object, headers: Record<string, string> = {}) =>
    service.charge(merchant, { total: 12.5, payment_method_id: card, ...body }, headers)

  const get = (id: string) => call(service.app, 'GET', `/transaction/${id}`, merchant.headers)

  const eventsOf = (id: string) =>
    service.world.db.query(
      `SELECT type, sequence, request_id, snapshot, xmin = (SELECT xmin FROM transaction WHERE id = $1) AS same_commit
       FROM event WHERE resource_id = $2 ORDER BY sequence`,
      [id, id],
    )

  const newMethod = (body: object) =>
    call(service.app, 'POST', '/payment-method', merchant.headers, body)

  it('is answered by the worker of its process, and no outcome is read again', async () => {
    const ask = vi.spyOn(service.world.db, 'ask')
    const key = { 'idempotency-key': 'handed over' }
    const first = await charge({}, key)
    // A caller that had to wait long has looked, and found it PENDING.
    const statuses = async () => {
      const found = await Promise.all(ask.mock.results.map(({ value }) => value))
      const isReading = (at: number) => ask.mock.calls[at]?.[0].name === 'read-outcome'
      return new Set(found.flatMap((one, at) => (isReading(at) ? one.status : [])))
    }
    expect([first.status, (await statuses()).has('SUCCESS')]).toEqual([200, false])
    // As a control: a repeat reads the event, and gets the same bytes.
    expect((await charge({}, key)).text).toBe(first.text)
    expect((await statuses()).has('SUCCESS')).toBe(true)
    ask.mockRestore()
  })

  it('is answered with its outcome once the gateway has answered', async () => {
    const method = (await newMethod({ ...CARD, nickname: 'Blue' })).body
    const meta = { order: 7, lines: [{ sku: 'x' }] }
    const said = { meta, channel: 'web', payment_method_id: method.id }
    const { status, body } = await charge({ ...said, total: '12.50' })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...said,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      type: 'charge',
      method: 'card',
      status: 'SUCCESS',
      success: true,
      message: expect.any(String),
      decline_code: null,
      retry: null,
      total: 12.5,
      total_refunded: 0,
      currency: 'USD',
      pre_auth: false,
      is_captured: true,
      hold_ended_at: null,
      is_voided: false,
      is_voidable: true,
      is_refundable: false,
      is_manual: false,
      source: null,
      customer_id: method.customer_id,
      invoice_id: null,
      schedule_id: null,
      payment_link_id: null,
      reference_id: null,
      auth_id: expect.any(String),
      batch_id: null,
      batched_at: null,
      settled_at: null,
      idempotency_id: null,
      gateway_name: 'sandbox',
      last_four: '1111',
      receipt_email_at: null,
      receipt_sms_at: null,
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
      customer: expect.objectContaining({ id: method.customer_id, firstname: 'Ada' }),
      payment_method: method,
      child_transactions: [],
      child_captures: [],
    })
    const again = await get(body.id)
    expect([again.status, again.body]).toEqual([200, body])
  })

  it.each(SANDBOX_CARDS)(
    'of the $type $number approves: $approves',
    async ({ number, approves }) => {
      const { status, body } = await charge({
        payment_method_id: await service.card(merchant, number),
      })
      expect(status).toBe(approves ? 200 : 400)
      expect(body).toMatchObject({
        status: approves ? 'SUCCESS' : 'FAILED',
        success: approves,
        is_captured: approves,
        is_voidable: approves,
        last_four: number.slice(-4),
      })
    },
  )

  it.each([
    [BANK, true],
    [{ ...BANK, bank_account: '9876543211' }, false],
    [{ ...BANK, bank_routing: '011000015' }, false],
  ])('of the bank account %j approves: %s', async (bank, approves) => {
    const method = (await newMethod(bank)).body
    const { status, body } = await charge({ payment_method_id: method.id })
    expect([status, body.success, body.method]).toEqual([approves ? 200 : 400, approves, 'bank'])
  })

  it('that was declined is 400, with the transaction as the body', async () => {
    const declined = await service.card(merchant, DECLINED_CARD)
    const { status, body } = await charge({ payment_method_id: declined })
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: 'charge', status: 'FAILED', success: false, total: 12.5 })
    expect(body.message).toMatch(/decline/i)
    expect(body).not.toHaveProperty('error')
    expect((await get(body.id)).body).toEqual(body)
    const [event, ...more] = await eventsOf(body.id)
    expect(more).toEqual([])
    expect(event).toMatchObject({ type: 'create_transaction', sequence: 1, snapshot: body })
  })

  it.each([true, 1, '1'])('can authorise only (pre_auth %j)', async (pre_auth) => {
    const { status, body } = await charge({ pre_auth })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      type: 'pre_auth',
      status: 'SUCCESS',
      pre_auth: true,
      is_captured: false,
      is_voidable: true,
      is_refundable: false,
    })
  })

  it('writes create_transaction once, with its outcome and in the commit of that outcome', async () => {
    const { body } = await charge({}, { 'x-request-id': 'of-this-charge' })
    expect(await eventsOf(body.id)).toEqual([
      {
        type: 'create_transaction',
        sequence: 1,
        request_id: 'of-this-charge',
        snapshot: (await get(body.id)).body,
        same_commit: true,
      },
    ])
  })

  it('is answered 202 and PENDING at once if the caller prefers it, and goes on', async () => {
    const first = await charge({ total: 763.64 }, { prefer: 'respond-async' })
    expect([first.status, first.body.status, first.body.success]).toEqual([202, 'PENDING', null])
    expect(first.headers.location).toBe(`/transaction/${first.body.id}`)
    const last = await outcomeOf(first)
    expect(last.body).toMatchObject({ status: 'SUCCESS', created_at: first.body.created_at })
    expect(await eventsOf(first.body.id)).toMatchObject([
      { type: 'create_transaction', sequence: 1, snapshot: first.body },
      { type: 'update_transaction', sequence: 3, snapshot: last.body, same_commit: true },
    ])
  })

  it.each([
    'respond-async',
    'wait=5, respond-async',
    'Respond-Async; foo',
    'return=minimal,respond-async',
  ])('follows the preference %j', async (prefer) => {
    expect((await charge({ total: 763.64 }, { prefer })).status).toBe(202)
  })

  it.each(['', 'wait=100', 'respond-async-not', 'xrespond-async'])(
    'hears none in %j',
    async (prefer) => {
      expect((await charge({}, { prefer })).status).toBe(200)
    },
  )

  it('of 763.64 stays in doubt, and the gateway is asked until it is done', async () => {
    const { status, body } = await charge({ total: 763.64 })
    expect([status, body.status]).toEqual([200, 'SUCCESS'])
    const [row] = await service.world.db.query(
      'SELECT look_ups FROM sandbox_gateway_payment WHERE key = $1',
      [body.id],
    )
    expect(row?.look_ups).toBe(3)
  })

  /** A repeat without a key is a new charge, so the test reads the row until it is decided. */
  async function outcomeOf({ body: { id } }: Answer): Promise<Answer> {
    return expect
      .poll(async () => get(id))
      .toMatchObject({ body: { status: expect.stringMatching(/SUCCESS|FAILED/) } })
      .then(() => get(id))
  }
})
