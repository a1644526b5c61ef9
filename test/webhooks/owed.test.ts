// Writing an event also writes its deliveries to the endpoints with that event type: in the same
// commit, once, and to no other.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertEvent } from '../../src/events/insert-event.ts'
import { call, type Merchant, type TestService } from '../support/test-service.ts'
import {
  insertEventSeries,
  openWebhookService,
  type TestWebhooks,
  webhooksOf,
  webhooksTo,
} from '../support/webhooks.ts'

const LONG = { timeout: 60_000 }
const START_MS = 120_000

describe('an event', LONG, () => {
  let service: TestService
  let merchant: Merchant
  let webhooks: TestWebhooks

  beforeAll(async () => {
    service = await openWebhookService()
    merchant = await service.merchant()
    webhooks = webhooksOf(service, merchant)
  }, START_MS)
  afterAll(() => service.close())

  const post = (url: string, body: object, headers = {}) =>
    call(service.app, 'POST', url, { ...merchant.headers, ...headers }, body)

  it('has deliveries to its endpoints, in its own commit and at its own time', async () => {
    const endpoints = await Promise.all(
      ['*', 'create_customer', ['update_customer', 'create_customer']].map((event) =>
        webhooks.made({ event }),
      ),
    )
    const disabled = await webhooks.made()
    await webhooks.ask('PUT', `/${disabled.id}`, { status: 'disabled' })
    const deleted = await webhooks.made()
    await webhooks.ask('DELETE', `/${deleted.id}`)
    const others = [
      await webhooks.made({ event: ['update_customer', 'delete_customer'] }),
      disabled,
      deleted,
      await webhooksOf(service, await service.merchant()).made(),
    ]
    const made = await post('/customer', { firstname: 'Ada' }, { 'x-request-id': 'ada-1' })
    for (const { id } of endpoints) {
      const [owed, ...more] = await webhooksTo(service, id)
      expect(more).toEqual([])
      expect(owed).toMatchObject({
        request: 'event',
        status: 'pending',
        type: 'create_customer',
        request_id: 'ada-1',
        same_commit: true,
      })
      const agoMs = Date.now() - Number(owed?.due_at)
      expect(agoMs).toBeGreaterThanOrEqual(0)
      expect(agoMs).toBeLessThan(60_000)
      expect(owed?.created_at).toEqual(owed?.due_at)
    }
    for (const { id } of others) expect(await webhooksTo(service, id)).toEqual([])
    // As a control, the endpoint for updates gets one.
    await call(service.app, 'PUT', `/customer/${made.body.id}`, merchant.headers, { lastname: 'L' })
    expect(await webhooksTo(service, others[0].id)).toHaveLength(1)
  })

  it('of any operation has one delivery, in the commit that writes it', async () => {
    const whose = await service.merchant()
    const { made } = webhooksOf(service, whose)
    const { id } = await made()
    const card = await service.card(whose)
    const ask = (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
      call(service.app, method, url, whose.headers, body)
    const { body: method } = await ask('PUT', `/payment-method/${card}`, { nickname: 'Blue' })
    const customer_id = method.customer_id
    await ask('PUT', `/customer/${customer_id}`, { firstname: 'Ada' })
    const link = await ask('POST', '/payment-link', { common_name: 'Coffee' })
    await ask('PUT', `/query/payment-links/${link.body.id}`, { active: false })
    await ask('DELETE', `/query/payment-links/${link.body.id}`)
    const invoice = await ask('POST', '/invoice', { total: 5, customer_id })
    await ask('DELETE', `/invoice/${invoice.body.id}`)
    const plan = { total: 5, rule: 'FREQ=MONTHLY', customer_id }
    const schedule = await ask('POST', '/invoice/schedule', plan)
    await ask('PUT', `/invoice/schedule/${schedule.body.id}`, { status: 'paused' })
    await ask('DELETE', `/invoice/schedule/${schedule.body.id}`)
    await ask('POST', '/transaction', { total: 1, type: 'charge', method: 'cash', customer_id })
    const owed = await webhooksTo(service, id)
    expect(owed.filter(({ same_commit }) => !same_commit)).toEqual([])
    const events = await service.world.db.query('SELECT id FROM event WHERE account_id = $1', [
      whose.accountId,
    ])
    expect(events.length).toBeGreaterThan(12)
    expect(owed.map(({ subject_id }) => subject_id).sort()).toEqual(
      events.map((event) => event.id).sort(),
    )
  })

  it('has deliveries together with all others of its statement', async () => {
    const [one, two] = [
      await webhooks.made({ event: 'create_batch' }),
      await webhooks.made({ event: '*' }),
    ]
    const from = new Date(Date.now() - 1_000)
    const owed = async () => [await webhooksTo(service, one.id), await webhooksTo(service, two.id)]
    await insertEventSeries(service, merchant.accountId, { count: 3, from, type: 'create_batch' })
    expect((await owed()).map(({ length }) => length)).toEqual([3, 3])
  })

  it('that is not committed has no delivery', async () => {
    const { id } = await webhooks.made()
    const { accountId } = merchant
    const write = (isKept: boolean) =>
      service.world.db.commit('a test', async (query) => {
        await insertEvent(service.world, query, {
          accountId,
          type: 'create_customer',
          resourceId: service.world.newId(),
          sequence: 1,
          view: {},
          requestId: 'r',
          at: new Date(),
        })
        if (!isKept) throw new Error('rolled back by the test')
      })
    await expect(write(false)).rejects.toThrow('rolled back by the test')
    expect(await webhooksTo(service, id)).toEqual([])
    await write(true)
    expect(await webhooksTo(service, id)).toHaveLength(1)
  })
})
