// The examples that the API's own documentation publishes, for what no client above does: scheduled
// invoices (`rule` with its start as one more part), payment links, and webhooks, whose receivers
// read `stax-event-name` and the children of a transaction.

import { expect, it } from 'vitest'
import { webhookChannel } from '../../src/webhooks/webhook-channel.ts'
import { openReceiver } from '../support/receiver.ts'
import { type DialectMerchant, expectTypes, THEIR_TIME } from './dialect-merchant.ts'

export function publishedExamples(merchant: () => DialectMerchant): void {
  it('schedules invoices, pauses them, and deletes the schedule', async () => {
    const { json, customer, card } = merchant()
    const sent = {
      customer_id: customer,
      payment_method_id: card,
      total: '2',
      url: 'https://pay.example.com/#/bill/',
      rule: 'FREQ=MONTHLY;DTSTART=20990426T190837Z',
      meta: { subtotal: 2 },
    }
    const { status, body } = await json('POST', '/invoice/schedule/', sent)
    expect([status, body.next_run_at]).toEqual([200, '2099-04-26 19:08:37'])
    expectTypes(body, { next_run_at: 'time', created_at: 'time', future_occurrences: 'list' })
    for (const one of body.future_occurrences) expect(one).toMatch(THEIR_TIME)
    const paused = await json('PUT', `/invoice/schedule/${body.id}`, { active: 0 })
    expect([paused.status, paused.body.status]).toEqual([200, 'paused'])
    expect((await json('DELETE', `/invoice/schedule/${body.id}`)).body.status).toBe('deleted')
    const deleted = await json('GET', '/invoice/schedule?status=deleted&page=1&limit=50')
    expect(deleted.body.data).toMatchObject([{ id: body.id }])
  })

  it('charges a payment method that was made with a token', async () => {
    const { json, customer } = merchant()
    const made = await json('POST', '/payment-method', {
      customer_id: customer,
      method: 'card',
      person_name: 'Ada Lovelace',
      payment_method_token: 'tok_sandbox_visa_approve',
    })
    const sent = { payment_method_id: made.body.id, total: '12.00', pre_auth: 0, meta: {} }
    const { status, body } = await json('POST', '/charge', sent)
    expect([made.status, status, body.success]).toEqual([200, 200, true])
  })

  it('makes a payment link by a query, reads it, and deletes it', async () => {
    const { json } = merchant()
    const sent = {
      url: 'https://pay.example.com/#/pay/token',
      link_meta: { memo: 'A bag of beans', created_at: '2026-01-01T00:00:00.000Z' },
      common_name: 'Sample Link',
      active: 1,
    }
    const made = await json('POST', '/query/payment-links', sent)
    expect([made.status, made.body.status, made.body.body.link_meta]).toEqual([
      200,
      200,
      sent.link_meta,
    ])
    const path = `/query/payment-links/${made.body.body.id}`
    expectTypes((await json('GET', path)).body, { url: 'text', created_at: 'time' })
    expect((await json('GET', '/query/payment-links')).body.total).toBe(1)
    expect((await json('DELETE', path)).body.status).toBe(200)
    expect((await json('GET', path)).status).toBe(404)
  })

  it('refuses a link without its settings, instead of listing links', async () => {
    const { json } = merchant()
    const { status, body } = await json('POST', '/query/payment-links', {
      url: 'https://x.example',
    })
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })

  it.each(['cash', 'check'])('marks an invoice as paid by %s', async (method) => {
    const { json, customer } = merchant()
    const { body: made } = await json('POST', '/invoice', { customer_id: customer, total: 5 })
    const { status, body } = await json('POST', `/invoice/${made.id}/pay/${method}`, {})
    expect([status, body.method, body.is_manual, body.invoice_id]).toEqual([
      200,
      method,
      true,
      made.id,
    ])
    expect((await json('GET', `/invoice/${made.id}`)).body.paid_at).toMatch(THEIR_TIME)
  })

  it('receives a void with the name of the event and the children of its transaction', async () => {
    const { service, json, charged, accountId } = merchant()
    await using receiver = await openReceiver()
    const endpoint = { target_url: `${receiver.url}?secret=x`, event: 'update_transaction' }
    const { body: webhook } = await json('POST', '/webhook', endpoint)
    const { id } = await charged()
    await json('POST', `/transaction/${id}/void`)
    const where = { accountId, lane: webhook.id }
    const delivery = await service.world.db.prisma.delivery.findFirstOrThrow({ where })
    const adapter = webhookChannel(service.world)
    const sent = await adapter.send(service.world, delivery, () => AbortSignal.timeout(5_000))
    expect(sent).toMatchObject({ kind: 'taken' })
    const [last] = receiver.received.slice(-1)
    expect(last?.headers['stax-event-name']).toBe('update_transaction')
    const body = JSON.parse(last?.body ?? '')
    expect(body.child_transactions).toMatchObject([{ type: 'void', reference_id: id, total: 10 }])
    expectTypes(body, { is_captured: 'integer', updated_at: 'time' })
    expect((await json('DELETE', `/webhook/${webhook.id}`)).status).toBe(200)
  })
}
