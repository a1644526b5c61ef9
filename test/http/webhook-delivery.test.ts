// The deliveries of a webhook as its merchant sees them, and the test of a webhook.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import { type Answer, call, type Merchant, type TestService } from '../support/test-service.ts'
import {
  openWebhookService,
  type TestWebhooks,
  webhooksOf,
  webhooksTo,
} from '../support/webhooks.ts'

/** Customers, each a day later than the one before, named by the states of their deliveries. */
const STATES = {
  a: "status = 'sent', due_at = NULL, sent_at = created_at",
  b: `status = 'parked', due_at = NULL, reason = 'out_of_tries', tries = 10, last_error = '500',
    history = '[{"at": "2026-03-01T00:00:00.000Z", "ms": 5, "answer": "failed", "detail": "500"}]'`,
  c: "status = 'pending', tries = 1",
  d: "status = 'pending'",
} as const

const LONG = { timeout: 60_000 }
const START_MS = 120_000

let service: TestService
let merchant: Merchant
let webhooks: TestWebhooks

beforeAll(async () => {
  service = await openWebhookService()
}, START_MS)
afterAll(() => service.close())

describe('the deliveries of a webhook', LONG, () => {
  let webhook: string

  beforeAll(async () => {
    merchant = await service.merchant()
    webhooks = webhooksOf(service, merchant)
    webhook = (await webhooks.made({ event: 'create_customer' })).id
    for (const [index, [name, state]] of Object.entries(STATES).entries()) {
      await call(service.app, 'POST', '/customer', merchant.headers, { firstname: name })
      const set = `${state}, created_at = timestamptz '2026-03-01T10:00Z' + interval '1 day' * ${index}`
      await service.world.db.query(
        `UPDATE delivery SET ${set} WHERE lane = $1 AND created_at > '2026-03-10'`,
        [webhook],
      )
    }
    // The other webhook is another merchant's.
    const other = await webhooks.made({ event: 'create_customer' })
    await webhooks.ask('POST', `/${other.id}/test`)
  }, START_MS)

  const list = (query = '') => webhooks.ask('GET', `/${webhook}/delivery${query}`)

  /** The names of the customers in the deliveries. */
  async function namesOf({ body }: Answer): Promise<string> {
    const names = await service.world.db.query(
      `SELECT snapshot->>'firstname' AS name FROM event WHERE id = ANY($1)
       ORDER BY array_position($1, id)`,
      [body.data.map((one: { event_id: string }) => one.event_id)],
    )
    return names.map(({ name }) => name).join(' ')
  }

  it('are shown with their events and with the result of each attempt', async () => {
    const answer = await list()
    expect([answer.status, answer.body.total, await namesOf(answer)]).toEqual([200, 4, 'd c b a'])
    const parked = answer.body.data[2]
    expect(parked).toEqual({
      id: expect.any(String),
      channel: 'webhook',
      subject: 'event',
      subject_id: parked.event_id,
      recipient: webhook,
      status: 'parked',
      attempts: 10,
      next_attempt_at: null,
      provider_id: null,
      last_error: '500',
      reason: 'out_of_tries',
      history: [{ at: '2026-03-01T00:00:00.000Z', ms: 5, answer: 'failed', detail: '500' }],
      created_at: '2026-03-02T10:00:00.000Z',
      updated_at: expect.any(String),
      sent_at: null,
      delivered_at: null,
      event_id: expect.any(String),
      event: 'create_customer',
    })
  })

  it.each([
    ['?status=pending', 'd c'],
    ['?status=sent', 'a'],
    ['?status=parked', 'b'],
    ['?status=delivered', ''],
    ['?order=asc', 'a b c d'],
    ['?start_date=2026-03-02', 'd c b'],
    ['?end_date=2026-03-02', 'b a'],
    ['?startDate=2026-03-02T10:00:00Z&endDate=2026-03-03T10:00:00Z', 'c b'],
    ['?status=pending&end_date=2026-03-03', 'c'],
    ['?limit=3', 'd c b'],
    ['?limit=3&page=2', 'a'],
    ['?limit=3&page=3', ''],
  ])('are filtered by %s', async (query, names) => {
    expect(await namesOf(await list(query))).toBe(names)
  })

  it.each([
    ['?status=lost', ['status']],
    ['?start_date=soon', ['start_date']],
    ['?sort=updated_at', ['sort']],
    ['?event=create_customer', ['event']],
  ])('are not filtered by %s', async (query, fields) => {
    expectRefusal(await list(query), 400, 'invalid_request', fields)
  })

  it('outlive their events', async () => {
    const { id } = await webhooks.made()
    await webhooks.ask('POST', `/${id}/test`)
    await service.world.db.query(
      "DELETE FROM event WHERE type = 'webhook_test' AND resource_id = $1",
      [id],
    )
    const { body } = await webhooks.ask('GET', `/${id}/delivery`)
    expect(body.data).toMatchObject([{ event: null, event_id: body.data[0].subject_id }])
  })
})

describe('testing a webhook', LONG, () => {
  beforeAll(async () => {
    merchant = await service.merchant()
    webhooks = webhooksOf(service, merchant)
  })

  it('writes one test event for it, and for no other, whatever events they have', async () => {
    const everything = await webhooks.made({ event: '*' })
    const { secret: _, ...shown } = await webhooks.made({ event: 'create_batch' })
    const headers = { 'x-request-id': 'try-1' }
    const { status, body } = await webhooks.ask('POST', `/${shown.id}/test`, undefined, headers)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'pending', attempts: 0, event: 'webhook_test' })
    expect((await webhooks.ask('GET', `/${shown.id}/delivery`)).body.data).toEqual([body])
    expect(await webhooksTo(service, shown.id)).toMatchObject([
      { request: 'test', type: 'webhook_test', same_commit: true, request_id: 'try-1' },
    ])
    expect(await webhooksTo(service, everything.id)).toEqual([])
    const events = await call(service.app, 'GET', '/event?type=webhook_test', merchant.headers)
    expect(events.body.data).toMatchObject([
      { id: body.event_id, resource_id: shown.id, sequence: 2, data: shown },
    ])
    expect((await webhooks.ask('GET', `/${shown.id}`)).body).toEqual(shown)
  })

  it('is done as often as requested, also at the same moment', async () => {
    const { id } = await webhooks.made({ event: 'create_batch' })
    const tests = Array.from({ length: 3 }, () => webhooks.ask('POST', `/${id}/test`))
    expect((await Promise.all(tests)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await webhooksTo(service, id)).toHaveLength(3)
  })

  it('with an idempotency key is done once, and the answer is repeated', async () => {
    const { id } = await webhooks.made({ event: 'create_batch' })
    const key = { 'idempotency-key': 'try' }
    const ask = () => webhooks.ask('POST', `/${id}/test`, undefined, key)
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.body).toMatchObject({ event: 'webhook_test' })
    expect(await webhooksTo(service, id)).toHaveLength(1)
    const other = await webhooks.made({ event: 'create_batch' })
    const conflict = await webhooks.ask('POST', `/${other.id}/test`, undefined, key)
    expectRefusal(conflict, 409, 'idempotency_conflict')
  })

  it('is refused while it is disabled, when nothing would be sent', async () => {
    const { id } = await webhooks.made({ event: '*' })
    await webhooks.ask('PUT', `/${id}`, { status: 'disabled' })
    expectRefusal(await webhooks.ask('POST', `/${id}/test`), 409, 'wrong_state')
    expect(await webhooksTo(service, id)).toEqual([])
  })
})
