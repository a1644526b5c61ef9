// The rules of the dialect, for every client.

import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { bodyInDialect } from '../../src/core/dialect.ts'
import { webhookChannel } from '../../src/webhooks/webhook-channel.ts'
import { recordsOf } from '../support/csv.ts'
import { openReceiver } from '../support/receiver.ts'
import { call } from '../support/test-service.ts'
import { type DialectMerchant, THEIR_TIME } from './dialect-merchant.ts'

export function dialectRules(merchant: () => DialectMerchant): void {
  it.each([
    '/self',
    '/customer',
    '/payment-method',
    '/transaction?all=1',
    '/invoice',
    '/invoice/schedule',
    '/batch',
    '/event',
    '/webhook',
    '/item',
    '/query/deposit',
    '/sandbox/clock',
    '/query/payment-links',
  ])('is the standard answer, translated: %s', async (path) => {
    const { service, json, charged, standard, accountId } = merchant()
    await charged({ meta: { created_at: '2026-01-01T00:00:00.000Z', is_captured: true } })
    const ours = await call(service.app, 'GET', path, standard)
    const theirs = await json('GET', path)
    expect(theirs.status).toBe(200)
    const { merchant: _, user: __, ...rest } = theirs.body
    const expected = JSON.parse(bodyInDialect(ours.text, accountId))
    expect({ ...rest, key: undefined }).toEqual({ ...expected, key: undefined })
  })

  it('belongs to the key of the request, also for a repeat of another key’s request', async () => {
    const { service, send, card, standard } = merchant()
    const body = { payment_method_id: card, total: 3, idempotency_id: 'rules-1' }
    const first = await call(service.app, 'POST', '/charge', standard, body)
    const again = await send('POST', '/charge', JSON.stringify(body))
    expect(first.body).toMatchObject({ is_captured: true })
    expect(first.body).not.toHaveProperty('merchant_id')
    expect([again.headers['idempotent-replayed'], again.body.id]).toEqual(['true', first.body.id])
    expect(again.body.is_captured).toBe(1)
    const once = await call(service.app, 'POST', '/charge', standard, body)
    expect(once.text).toBe(first.text)
  })

  it('applies to an answer at once, which has its address', async () => {
    const { send, card } = merchant()
    // The gateway has no outcome yet.
    const body = JSON.stringify({ payment_method_id: card, total: 763.64 })
    const {
      status,
      headers,
      body: pending,
    } = await send('POST', '/charge', body, {
      prefer: 'respond-async',
    })
    expect([status, headers.location]).toEqual([202, `/transaction/${pending.id}`])
    expect(pending.created_at).toMatch(THEIR_TIME)
  })

  it('has the same length for HEAD as for GET', async () => {
    const { send, customer } = merchant()
    const got = await send('GET', `/customer/${customer}`)
    const head = await send('HEAD', `/customer/${customer}`)
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(got.headers['content-length'])
    expect(Number(got.headers['content-length'])).toBe(Buffer.byteLength(got.text))
  })

  it('leaves errors as they are', async () => {
    const { send, json } = merchant()
    const { status, body } = await json('POST', '/charge', {})
    expect([status, body.error, body.request_id]).toEqual([
      400,
      'invalid_request',
      expect.any(String),
    ])
    expect(body).not.toHaveProperty('merchant_id')
    const refused = await json('GET', '/self?x=1')
    expect(refused.status).toBe(400)
    expect(refused.body).not.toHaveProperty('merchant')
    expect((await send('GET', '/nothing')).status).toBe(404)
  })

  it('applies to files too', async () => {
    const { service, send, charged, standard } = merchant()
    await charged({ meta: { at: '2026-01-01T00:00:00.000Z' } })
    const path = '/transaction?export=csv'
    const [ours] = recordsOf((await call(service.app, 'GET', path, standard)).text)
    const [theirs] = recordsOf((await send('GET', path)).text)
    expect(ours).toMatchObject({ is_captured: 'true', is_voided: 'false' })
    expect(theirs).toEqual({
      ...ours,
      is_captured: '1',
      created_at: expect.stringMatching(THEIR_TIME),
      updated_at: expect.stringMatching(THEIR_TIME),
    })
    const [batch] = recordsOf((await send('GET', '/batch?status=closed&export=csv')).text)
    expect(batch?.closed_at).toMatch(THEIR_TIME)
    const [inBatch] = recordsOf(
      (await send('GET', `/batch/${batch?.id}/transaction?export=csv`)).text,
    )
    expect(inBatch?.batched_at).toMatch(THEIR_TIME)
  })

  it('of a webhook is that of the key that creates it, in the signed body too', async () => {
    const { service, json, accountId, standard } = merchant()
    await using receiver = await openReceiver()
    const endpoint = { target_url: receiver.url, event: 'create_customer' }
    const { body: theirs } = await json('POST', '/webhook', endpoint)
    const { body: ours } = await call(service.app, 'POST', '/webhook', standard, endpoint)
    const { body: made } = await json('POST', '/customer', { firstname: 'Ada', meta: { at: 'x' } })
    for (const webhook of [theirs, ours]) {
      const where = { accountId, lane: webhook.id }
      const delivery = await service.world.db.prisma.delivery.findFirstOrThrow({ where })
      const adapter = webhookChannel(service.world)
      await adapter.send(service.world, delivery, () => AbortSignal.timeout(5_000))
      expect((await json('DELETE', `/webhook/${webhook.id}`)).status).toBe(200)
    }
    const [first, second] = receiver.received
    const verified = new Webhook(theirs.secret).verify(first?.body ?? '', first?.headers ?? {})
    expect(verified).toEqual(made)
    expect(first?.headers).toMatchObject({
      'event-name': 'create_customer',
      'stax-event-name': 'create_customer',
    })
    expect(second?.headers).not.toHaveProperty('stax-event-name')
    expect(JSON.parse(second?.body ?? '')).not.toHaveProperty('merchant_id')
  })
}
