// The requests to an endpoint, and the results of its answers.

import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deliveryOutcome, type SendAnswer } from '../../src/core/delivery.ts'
import type { ClaimedDelivery } from '../../src/deliveries/claim-due-deliveries.ts'
import type { PostAnswer } from '../../src/outside/endpoint/port.ts'
import { webhookChannel } from '../../src/webhooks/webhook-channel.ts'
import type { World } from '../../src/world.ts'
import { type Behaviour, openReceiver, type Receiver } from '../support/receiver.ts'
import { call, type Merchant, type TestService } from '../support/test-service.ts'
import { openWebhookService, type TestWebhooks, webhooksOf } from '../support/webhooks.ts'

let service: TestService
let receiver: Receiver
let merchant: Merchant
let webhooks: TestWebhooks

beforeAll(async () => {
  service = await openWebhookService()
  receiver = await openReceiver()
})

beforeEach(async () => {
  receiver.behave({ status: 200 })
  merchant = await service.merchant()
  webhooks = webhooksOf(service, merchant)
})

afterAll(async () => {
  await receiver.close()
  await service.close()
})

/** An endpoint, and the delivery of the first event after it. */
async function dueDelivery() {
  const webhook = await webhooks.made({ target_url: receiver.url })
  const body = { firstname: 'Adä\u2028', meta: { b: 1, a: '12.50' } }
  const customer = await call(service.app, 'POST', '/customer', merchant.headers, body)
  const where = { accountId: merchant.accountId, lane: webhook.id }
  const delivery = await service.world.db.prisma.delivery.findFirstOrThrow({ where })
  return { webhook, customer: customer.body, delivery }
}

function send(delivery: ClaimedDelivery, world: World = service.world): Promise<SendAnswer> {
  const adapter = webhookChannel(world)
  return adapter.send(world, delivery, () => AbortSignal.timeout(adapter.timeoutMs))
}

/** A world whose endpoints all give the same answer. */
function answering(answer: PostAnswer): World {
  return { ...service.world, endpoints: { ...service.world.endpoints, post: async () => answer } }
}

describe('a request', () => {
  it('is the event of the row, with all of its headers', async () => {
    const { webhook, customer, delivery } = await dueDelivery()
    const beforeS = Math.floor(Date.now() / 1_000)
    expect(await send(delivery)).toEqual({ kind: 'taken', providerId: null, detail: '200' })
    const [last] = receiver.received.slice(-1)
    const [event] = await service.world.db.query(
      'SELECT id, sequence, snapshot::text AS text, created_at FROM event WHERE resource_id = $1',
      [customer.id],
    )
    expect(last).toMatchObject({
      method: 'POST',
      body: event?.text,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Lamplighter-Webhooks/1',
        'webhook-id': event?.id,
        'event-name': 'create_customer',
        'event-sequence': '1',
        'event-created-at': customer.created_at,
      },
    })
    const sentS = Number(last?.headers['webhook-timestamp'])
    expect(sentS).toBeGreaterThanOrEqual(beforeS)
    expect(sentS).toBeLessThanOrEqual(Date.now() / 1_000)
    const verified = new Webhook(webhook.secret).verify(last?.body ?? '', last?.headers ?? {})
    expect(verified).toEqual(customer)
  })

  it("has the event's time by the account's own clock, and is signed in real time", async () => {
    const { delivery } = await dueDelivery()
    const at = new Date('2031-05-06T07:08:09.123Z')
    await service.world.db.query('UPDATE event SET created_at = $2 WHERE id = $1', [
      delivery.subjectId,
      at,
    ])
    await send(delivery)
    const [last] = receiver.received.slice(-1)
    expect(last?.headers['event-created-at']).toBe(at.toISOString())
    expect(Number(last?.headers['webhook-timestamp'])).toBeLessThan(Date.now() / 1_000 + 1)
  })

  it('is verified by both secrets while one is rolled', async () => {
    const { webhook, delivery } = await dueDelivery()
    const rolled = await webhooks.ask('POST', `/${webhook.id}/roll-secret`, {})
    await send(delivery)
    const [last] = receiver.received.slice(-1)
    for (const secret of [webhook.secret, rolled.body.secret]) {
      new Webhook(secret).verify(last?.body ?? '', last?.headers ?? {})
    }
    expect(rolled.body.secret).not.toBe(webhook.secret)
    expect(last?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    // Once its time is over, it need not be readable any more.
    await service.world.db.query(
      `UPDATE webhook SET previous_secret = 'sealed:v1:0123456789abcdef:AA', previous_secret_until = created_at
       WHERE id = $1`,
      [webhook.id],
    )
    expect(await send(delivery)).toMatchObject({ kind: 'taken' })
  })
})

it.each(['secret', 'previous_secret'])(
  'that cannot be signed with a %s waits, and counts as no try and no failure',
  async (column) => {
    const { webhook, delivery } = await dueDelivery()
    await webhooks.ask('POST', `/${webhook.id}/roll-secret`, {})
    const { query } = service.world.db
    const sealed = `UPDATE webhook SET ${column} = 'sealed:v1:0123456789abcdef:AA' WHERE id = $1`
    await query(sealed, [webhook.id])
    const before = receiver.received.length
    const reports: string[] = []
    const outages = { ...service.world.outages, report: (words: string) => reports.push(words) }
    const answer = await send(delivery, { ...service.world, outages } as World)
    expect(answer).toMatchObject({ kind: 'away', detail: expect.stringContaining('secret') })
    expect(deliveryOutcome(delivery, answer, new Date(), 0)).toMatchObject({
      status: 'pending',
      tries: 0,
    })
    expect(reports).toEqual([expect.stringContaining('cannot be opened')])
    expect(receiver.received).toHaveLength(before)
    const [row] = await query('SELECT failing_since FROM webhook WHERE id = $1', [webhook.id])
    expect(row).toEqual({ failing_since: null })
  },
)

describe('an answer', () => {
  it.each<[Behaviour, SendAnswer]>([
    [{ status: 200 }, { kind: 'taken', providerId: null, detail: '200' }],
    [{ status: 204 }, { kind: 'taken', providerId: null, detail: '204' }],
    [
      { status: 299, body: 'fine' },
      { kind: 'taken', providerId: null, detail: '299' },
    ],
    [
      { status: 301, headers: { location: '/' } },
      { kind: 'failed', detail: '301' },
    ],
    [{ status: 304 }, { kind: 'failed', detail: '304' }],
    [
      { status: 400, body: 'what\nis this' },
      { kind: 'failed', detail: '400 what is this' },
    ],
    [{ status: 401 }, { kind: 'failed', detail: '401' }],
    [{ status: 404 }, { kind: 'failed', detail: '404' }],
    [{ status: 429, headers: { 'retry-after': '7' } }, failedFor(429, 7_000)],
    [{ status: 500, headers: { 'retry-after': '8' } }, failedFor(500, 8_000)],
    [{ status: 503, headers: { 'retry-after': '9' } }, failedFor(503, 9_000)],
    [{ status: 503 }, { kind: 'failed', detail: '503' }],
    ['cut', { kind: 'silent', detail: 'no answer: UND_ERR_SOCKET' }],
  ])('%j', async (behaviour, answer) => {
    const { delivery } = await dueDelivery()
    receiver.behave(behaviour)
    expect(await send(delivery)).toEqual(answer)
  })

  it('that never comes is waited for up to the limit', async () => {
    const { delivery } = await dueDelivery()
    receiver.behave('hang')
    const { timings } = service.world
    const world = { ...service.world, timings: { ...timings, webhookTimeoutMs: 200 } }
    const startedMs = performance.now()
    expect(await send(delivery, world)).toEqual({
      kind: 'silent',
      detail: 'no answer within the time',
    })
    expect(performance.now() - startedMs).toBeLessThan(5_000)
  })

  it('does not exist if the address is forbidden, which may change later', async () => {
    const { delivery } = await dueDelivery()
    const detail = 'must be an address of the public internet'
    const world = answering({ kind: 'forbidden', detail })
    expect(await send(delivery, world)).toEqual({ kind: 'failed', detail })
  })

  it('that we could not read is no failure of the endpoint', async () => {
    const { webhook, delivery } = await dueDelivery()
    const detail = 'the service was too busy to listen'
    const world = answering({ kind: 'own_fault', detail })
    expect(await send(delivery, world)).toEqual({ kind: 'away', detail })
    const failingSince = async () => {
      const row = { where: { id: webhook.id } }
      return (await service.world.db.prisma.webhook.findFirstOrThrow(row)).failingSince
    }
    expect(await failingSince()).toBeNull()
    // As a control, its own silence is a failure.
    await send(delivery, answering({ kind: 'silent', detail, isReached: true }))
    expect(await failingSince()).not.toBeNull()
  })

  function failedFor(status: number, waitMs: number): SendAnswer {
    return { kind: 'failed', detail: String(status), waitMs }
  }
})

describe('no request is sent', () => {
  const noTarget = (detail: string) => ({ kind: 'refused', reason: 'no_target', detail })

  it.each<[string, (ids: { webhook: string; event: string }) => Promise<unknown>]>([
    ['the endpoint is deleted', ({ webhook }) => webhooks.ask('DELETE', `/${webhook}`)],
    [
      'the endpoint is disabled',
      ({ webhook }) => webhooks.ask('PUT', `/${webhook}`, { status: 'disabled' }),
    ],
    [
      'the event is not kept any more',
      ({ event }) => service.world.db.query('DELETE FROM event WHERE id = $1', [event]),
    ],
  ])('if %s', async (detail, happen) => {
    const { webhook, delivery } = await dueDelivery()
    await happen({ webhook: webhook.id, event: delivery.subjectId })
    const before = receiver.received.length
    expect(await send(delivery)).toEqual(noTarget(detail))
    expect(receiver.received).toHaveLength(before)
  })
})
