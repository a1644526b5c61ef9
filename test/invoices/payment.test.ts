// Payments of invoices: by /pay, and by a charge that names the invoice.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../chaos/audit.ts'
import {
  customerOf,
  invoiceEvents,
  otherCard,
  payableInvoice,
  payInvoice,
  toBeTriedAgain,
} from '../support/invoices.ts'
import { newPaymentsApi, openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal, withoutRequestId } from '../support/requests.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { call } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

/** The sandbox gateway decides this amount at the third question. */
const UNDECIDED_FIRST = 763.64

const ASYNC = { prefer: 'respond-async' }

describe('a payment of an invoice', () => {
  let api: PaymentsApi

  beforeAll(async () => {
    api = await openPaymentsApi()
  })
  afterAll(() => api.service.close())

  const invoice = async (id: string) =>
    (await call(api.service.app, 'GET', `/invoice/${id}`, api.merchant.headers)).body

  const transactionsOf = async (id: string) => {
    const url = `/transaction?invoice_id=${id}`
    return (await call(api.service.app, 'GET', url, api.merchant.headers)).body.data
  }

  /** Through either route. */
  const WAYS = [
    [
      '/pay',
      (
        id: string,
        body: { readonly total?: number; readonly [field: string]: unknown } = {},
        headers = {},
      ) => {
        const { total, ...rest } = body
        const sent = total === undefined ? rest : { ...rest, apply_balance: total }
        return payInvoice(api, id, sent, headers)
      },
    ],
    [
      '/charge',
      (invoice_id: string, body: object = {}, headers = {}) =>
        api.charge({ invoice_id, ...body }, headers),
    ],
  ] as const

  describe.each(WAYS)('by %s', (_, pay) => {
    it('charges its balance due, once the gateway has answered, and it is paid', async () => {
      const id = await payableInvoice(api, { meta: { poNumber: '4711' } })
      const { status, body } = await pay(id)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        type: 'charge',
        status: 'SUCCESS',
        total: 10,
        invoice_id: id,
        schedule_id: null,
        payment_link_id: null,
        payment_method_id: api.card,
        source: null,
        channel: null,
        is_voidable: true,
      })
      expect((await api.get(body.id)).body).toEqual(body)
      expect(await transactionsOf(id)).toEqual([body])
      const paid = await invoice(id)
      expect(paid).toMatchObject({
        status: 'PAID',
        total_paid: 10,
        balance_due: 0,
        payment_under_way: false,
      })
      expect(paid.paid_at).toBe(body.updated_at)
      const events = await invoiceEvents(api.service, id)
      expect(events).toMatchObject([
        { sequence: 1 },
        { type: 'update_invoice', snapshot: { payment_under_way: true, balance_due: 10 } },
        { type: 'update_invoice', snapshot: paid },
      ])
      expect((await api.events(body.id)).map(({ type }) => type)).toEqual(['create_transaction'])
    })

    it('cannot be made twice', async () => {
      const id = await payableInvoice(api)
      await pay(id)
      expectRefusal(await pay(id), 409, 'invoice_already_paid')
      expect(await transactionsOf(id)).toHaveLength(1)
    })

    it('that is declined is answered so, and another can be made', async () => {
      const id = await payableInvoice(api)
      const payment_method_id = await otherCard(api, DECLINED_CARD)
      const { status, body } = await pay(id, { payment_method_id })
      expect([status, body.status, body.invoice_id]).toEqual([400, 'FAILED', id])
      expect(await invoice(id)).toMatchObject({
        status: 'ATTEMPTED',
        total_paid: 0,
        balance_due: 10,
        paid_at: null,
        next_retry_at: null,
      })
      expect((await pay(id)).body.status).toBe('SUCCESS')
      expect((await invoice(id)).status).toBe('PAID')
    })

    it('that was voided leaves it to be paid again', async () => {
      const id = await payableInvoice(api)
      const first = await pay(id)
      expect((await api.ask(first.body.id, 'void')).status).toBe(200)
      expect(await invoice(id)).toMatchObject({ status: 'DRAFT', balance_due: 10, paid_at: null })
      const second = await pay(id)
      expect(second.body.status).toBe('SUCCESS')
      expect(second.body.id).not.toBe(first.body.id)
      expect((await invoice(id)).status).toBe('PAID')
    })

    it("and its void have their events first, and then the invoice's changes", async () => {
      const id = await payableInvoice(api)
      const payment = (await pay(id)).body.id
      await api.ask(payment, 'void')
      const { id: child } = await api.childOf(payment, 'void')
      const known = new Map([
        [id, 'the invoice'],
        [payment, 'the payment'],
        [child, 'the void'],
      ])
      const sql = 'SELECT resource_id FROM event WHERE account_id = $1 ORDER BY id'
      const events = await api.service.world.db.query(sql, [api.merchant.accountId])
      expect(events.flatMap(({ resource_id }) => known.get(resource_id) ?? [])).toEqual([
        'the invoice',
        // The payment begins, and has succeeded.
        'the invoice',
        ...['the payment', 'the invoice'],
        ...['the void', 'the payment', 'the invoice'],
      ])
    })

    it('is answered at once if the caller prefers it, with an address to look at', async () => {
      const id = await payableInvoice(api, { total: UNDECIDED_FIRST })
      const { status, body, headers } = await pay(id, { total: UNDECIDED_FIRST }, ASYNC)
      expect([status, body.status, headers.location]).toEqual([
        202,
        'PENDING',
        `/transaction/${body.id}`,
      ])
      await expect.poll(async () => (await invoice(id)).status).toBe('PAID')
    })

    it('in progress excludes others, and the invoice shows only that', async () => {
      const id = await payableInvoice(api, { total: 763.63 })
      const before = await invoice(id)
      expect((await pay(id, { total: 763.63 }, ASYNC)).status).toBe(202)
      expect(before.payment_under_way).toBe(false)
      const { updated_at } = await invoice(id)
      expect(await invoice(id)).toEqual({ ...before, payment_under_way: true, updated_at })
      expect(await invoiceEvents(api.service, id)).toHaveLength(2)
      expectRefusal(await payInvoice(api, id), 409, 'payment_under_way')
      const charge = await api.charge({ invoice_id: id, total: 763.63 })
      expectRefusal(charge, 409, 'payment_under_way')
    })

    it("requires a payment method of the invoice's customer", async () => {
      const id = await payableInvoice(api)
      const payment_method_id = await api.service.card(api.merchant)
      const another = await pay(id, { payment_method_id })
      expectRefusal(another, 400, 'invalid_request', ['payment_method_id'])
      expect(another.body.errors.payment_method_id).toEqual(['belongs to another customer'])
      const stranger = await api.service.merchant()
      const foreign = await pay(id, { payment_method_id: await api.service.card(stranger) })
      expectRefusal(foreign, 404, 'not_found', ['payment_method_id'])
      expect(withoutRequestId(foreign)).toEqual(
        withoutRequestId(await pay(id, { payment_method_id: UNKNOWN })),
      )
      const cash = { total: 1, type: 'charge', method: 'cash', customer_id: await customerOf(api) }
      const { app } = api.service
      const made = await call(app, 'POST', '/transaction', api.merchant.headers, cash)
      const built = await pay(id, { payment_method_id: made.body.payment_method_id })
      expectRefusal(built, 404, 'not_found', ['payment_method_id'])
      expect((await pay(id)).status).toBe(200)
    })

    it("requires an invoice of the account: another's is as unknown as one that does not exist", async () => {
      const other = await newPaymentsApi(api.service)
      const foreign = await pay(await payableInvoice(other))
      expectRefusal(foreign, 404, 'not_found')
      expect(withoutRequestId(foreign)).toEqual(withoutRequestId(await pay(UNKNOWN)))
    })

    it('with its key is made once, and the answer is repeated', async () => {
      const id = await payableInvoice(api)
      const key = { 'idempotency-key': `once ${id}` }
      const first = await pay(id, {}, key)
      expect(first.headers).not.toHaveProperty('idempotent-replayed')
      const again = await pay(id, {}, key)
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(again.headers['idempotent-replayed']).toBe('true')
      expect(first.body.idempotency_id).toBe(`once ${id}`)
      const inBody = await pay(id, { idempotency_id: `once ${id}` })
      expect(inBody.text).toBe(first.text)
      expect(await transactionsOf(id)).toHaveLength(1)
    })

    it('with the key of another conflicts', async () => {
      const id = await payableInvoice(api)
      const key = { 'idempotency-key': `conflict ${id}` }
      await pay(await payableInvoice(api), {}, key)
      expectRefusal(await pay(id, {}, key), 409, 'idempotency_conflict', ['invoice_id'])
      expect((await invoice(id)).status).toBe('DRAFT')
    })

    it('that was refused leaves its key free', async () => {
      const id = await payableInvoice(api)
      const key = { 'idempotency-key': `refused ${id}` }
      const refused = await pay(id, { payment_method_id: UNKNOWN }, key)
      expectRefusal(refused, 404, 'not_found', ['payment_method_id'])
      expect((await pay(id, {}, key)).body.status).toBe('SUCCESS')
    })

    it('cancels the planned retry, and the invoice shows that', async () => {
      const id = await payableInvoice(api, { total: 763.63 })
      await toBeTriedAgain(api.service, id, new Date('2099-01-01'), { tries: 0 })
      expect((await pay(id, { total: 763.63 }, ASYNC)).status).toBe(202)
      const after = await invoice(id)
      expect(after).toMatchObject({ status: 'ATTEMPTED', next_retry_at: null })
      expect(await invoiceEvents(api.service, id)).toMatchObject([
        { sequence: 1 },
        { type: 'update_invoice', sequence: 2, snapshot: after },
      ])
    })
  })

  it('leaves a ledger that agrees with itself and with the gateway’s', async () => {
    const sql = `SELECT count(*)::integer AS owed FROM transaction
      WHERE owed IS NOT NULL AND total <> 76363`
    await expect.poll(() => api.service.world.db.query(sql)).toEqual([{ owed: 0 }])
    const undecided = await api.service.world.db.query(
      `SELECT id FROM transaction WHERE status = 'PENDING'`,
    )
    const wrong = await audit(api.service.databaseUrl, [])
    const others = wrong.filter((line) => !undecided.some(({ id }) => String(line).includes(id)))
    expect(others).toEqual([])
  })
})
