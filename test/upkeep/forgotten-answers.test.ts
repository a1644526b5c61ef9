// Repeats of requests with a key, once the events with their answers are deleted.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveDoubt } from '../../src/payments/make/make-payment.ts'
import { forgetOld } from '../../src/upkeep/forget-old.ts'
import { type FaultySetup, openFaultySetup } from '../support/faulty-setup.ts'
import { FOLLOW_UPS, ready } from '../support/follow-ups.ts'
import { payableInvoice, payInvoice } from '../support/invoices.ts'
import { forgetAtGateway, type PaymentsApi, paymentsApiOf } from '../support/payments-api.ts'
import { daysLater, eventIds } from '../support/retention.ts'
import { type Answer, call } from '../support/test-service.ts'

const ASYNC = { prefer: 'respond-async' }

type Headers = Readonly<Record<string, string>>

let setup: FaultySetup
let api: PaymentsApi
let keys = 0

/** Silent orders stay in doubt: only the test asks about them. */
beforeAll(async () => {
  setup = await openFaultySetup({ queues: ['charge', 'refund'], backend: 'postgres' })
  api = paymentsApiOf(setup.service, setup.merchant, setup.card)
})
afterAll(() => setup.service.close())

async function forget(): Promise<void> {
  await forgetOld(daysLater(setup.service.world, 31))
  expect(await eventIds(setup.service, setup.merchant.accountId)).toEqual([])
}

function newKey(): Headers {
  keys += 1
  return { 'idempotency-key': `forgotten-${keys}` }
}

/** Sends the request, repeats it before and after all events are deleted, and once more. */
async function answersOf(ask: (headers: Headers) => Promise<Answer>, headers: Headers = {}) {
  const key = newKey()
  const first = await ask({ ...key, ...headers })
  const before = await ask({ ...key, ...headers })
  await forget()
  const afterwards = await ask({ ...key, ...headers })
  await forget()
  const again = [before, afterwards, await ask({ ...key, ...headers })]
  for (const repeat of again) {
    expect([repeat.status, repeat.text]).toEqual([first.status, first.text])
    expect(repeat.headers['idempotent-replayed']).toBe('true')
    expect(repeat.headers.location).toBe(first.headers.location)
    expect(repeat.headers['content-type']).toBe(first.headers['content-type'])
  }
  return { first, repeat: () => ask({ ...key, ...headers }) }
}

const charge = (body: object) => (headers: Headers) => api.charge(body, headers)

describe('a repeat after thirty days', () => {
  it('of a charge gets its answer', async () => {
    const { first } = await answersOf(charge({ meta: { '10': 1, '2': '🕯', e: 1e21 } }))
    expect([first.status, first.body.status]).toEqual([200, 'SUCCESS'])
  })

  it('of a charge that was declined gets the decline', async () => {
    const card = await setup.service.card(setup.merchant, '4000000000000002')
    const { first } = await answersOf(charge({ payment_method_id: card }))
    expect([first.status, first.body.status]).toEqual([400, 'FAILED'])
  })

  it('of a charge with later events gets the first outcome all the same', async () => {
    const key = newKey()
    const first = await api.charge({}, key)
    expect((await api.ask(first.body.id, 'void')).status).toBe(200)
    await forget()
    const again = await api.charge({}, key)
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect((await api.get(first.body.id)).body.is_voided).toBe(true)
  })

  it.each(FOLLOW_UPS)('of a %s gets its answer', async (operation) => {
    const id = await ready(api, operation)
    const { first } = await answersOf((headers) => api.ask(id, operation, {}, headers))
    expect(first.status).toBe(200)
  })

  it.each(FOLLOW_UPS)('of a %s that was declined gets the decline', async (operation) => {
    const id = await ready(api, operation)
    await forgetAtGateway(setup.service, id)
    const { first } = await answersOf((headers) => api.ask(id, operation, {}, headers))
    expect(first.status).toBe(400)
  })

  it('of a payment of an invoice gets its answer', async () => {
    const [one, other] = [await payableInvoice(api), await payableInvoice(api)]
    const paid = await answersOf((headers) => payInvoice(api, one, {}, headers))
    expect([paid.first.status, paid.first.body.invoice_id]).toEqual([200, one])
    const charged = await answersOf(charge({ invoice_id: other }))
    expect([charged.first.status, charged.first.body.invoice_id]).toEqual([200, other])
  })

  it('of one of several refunds gets that refund', async () => {
    const id = await ready(api, 'refund')
    const [one, other] = [newKey(), newKey()]
    const first = await api.ask(id, 'refund', { total: 2 }, one)
    const second = await api.ask(id, 'refund', { total: 3 }, other)
    await forget()
    expect((await api.ask(id, 'refund', { total: 2 }, one)).text).toBe(first.text)
    expect((await api.ask(id, 'refund', { total: 3 }, other)).text).toBe(second.text)
    expect(second.text).not.toBe(first.text)
  })

  it('of a request that was answered and decided at once gets its answer', async () => {
    const ask = (headers: Headers) =>
      call(
        setup.service.app,
        'POST',
        '/customer',
        { ...setup.merchant.headers, ...headers },
        { firstname: 'Ada' },
      )
    expect((await answersOf(ask)).first.status).toBe(200)
    const { customer_id } = (await api.charge()).body
    const cash = { total: 5, type: 'charge', method: 'cash', customer_id }
    const record = (headers: Headers) =>
      call(
        setup.service.app,
        'POST',
        '/transaction',
        { ...setup.merchant.headers, ...headers },
        cash,
      )
    expect((await answersOf(record)).first.status).toBe(200)
  })
})

describe('a payment that is PENDING for longer than events are kept', () => {
  it('is answered so until it is decided, and then with its outcome for ever', async () => {
    setup.plan = { fault: () => 'silent after' }
    const { first, repeat } = await answersOf(charge({}), ASYNC)
    expect([first.status, first.body.status]).toEqual([202, 'PENDING'])
    setup.plan = { fault: () => 'none' }
    await decided(first.body.id)
    const outcome = await repeat()
    expect([outcome.status, outcome.body.status]).toEqual([200, 'SUCCESS'])
    await forget()
    expect((await repeat()).text).toBe(outcome.text)
  })

  it.each(FOLLOW_UPS)('can also be a %s', async (operation) => {
    const id = await ready(api, operation)
    setup.plan = { fault: () => 'silent after' }
    const { first, repeat } = await answersOf(
      (headers) => api.ask(id, operation, {}, headers),
      ASYNC,
    )
    expect(first.status).toBe(202)
    setup.plan = { fault: () => 'none' }
    await decided((await api.childOf(id, operation)).id)
    const outcome = await repeat()
    expect(outcome.status).toBe(200)
    expect((await api.childOf(id, operation)).status).toBe('SUCCESS')
    await forget()
    expect((await repeat()).text).toBe(outcome.text)
  })
})

/** Asks the gateway about the payment, as a worker does. */
async function decided(id: string): Promise<void> {
  const { world } = setup.service
  const key = { accountId: setup.merchant.accountId, id }
  await expect
    .poll(async () => {
      await resolveDoubt(world, key, new AbortController().signal)
      return (await api.get(id)).body.status
    })
    .not.toBe('PENDING')
}
