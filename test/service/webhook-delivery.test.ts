// Endpoints get events: signed, with the content of the row, again after a failure, and no later
// because other endpoints are slow.

import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openReceiver, type Received, type Receiver } from '../support/receiver.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'
import { insertEventSeries, type TestWebhooks, webhooksOf } from '../support/webhooks.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const LONG_TEST = { timeout: 90_000 }

/** No test waits this long: a hanging request hangs until it is cut. */
const TIMEOUT_MS = 60_000

let service: TestService
let receiver: Receiver
let merchant: Merchant
let webhooks: TestWebhooks

beforeAll(async () => {
  const settings = { WEBHOOK_ALLOW_PRIVATE: 'true' }
  const timings = {
    webhookTimeoutMs: TIMEOUT_MS,
    leaseMs: 20_000,
    paymentLeaseMs: 20_000,
    gatewayTimeoutMs: 10_000,
  }
  service = await openTestService({ settings, timings })
})

beforeEach(async () => {
  receiver = await openReceiver()
  merchant = await service.merchant()
  webhooks = webhooksOf(service, merchant)
  return () => receiver.close()
})

afterAll(() => service.close())

function makeCustomer(by = merchant) {
  const body = { firstname: 'Ada', meta: { b: 1, a: ['12.50', 12.5] } }
  return call(service.app, 'POST', '/customer', by.headers, body)
}

/** The state of the one delivery to an endpoint, once it is as expected. */
function stateOf(
  webhook: string,
  isAsItShouldBe: (row: { status: string; tries: number }) => boolean,
) {
  const where = { accountId: merchant.accountId, lane: webhook }
  return soon(async () => {
    const row = await service.world.db.prisma.delivery.findFirstOrThrow({ where })
    if (!isAsItShouldBe(row)) throw new Error(`it is ${row.status}`)
    return row
  })
}

async function makeDueNow(id: string): Promise<void> {
  const { db, clock, queues } = service.world
  await db.query('UPDATE delivery SET due_at = $2 WHERE id = $1', [id, clock.now()])
  queues.startRound('webhook')
}

function verify({ secret }: { secret: string }, { body, headers }: Received): unknown {
  return new Webhook(secret).verify(body, headers)
}

describe('an endpoint', () => {
  it(
    "gets the event of a charge, with the charge's own content, and signed",
    LONG_TEST,
    async () => {
      const webhook = await webhooks.made({ target_url: receiver.url })
      const payment_method_id = await service.card(merchant)
      const charge = await service.charge(merchant, { total: '12.50', payment_method_id })
      const isOfIt = ({ headers }: Received) => headers['event-name'] === 'create_transaction'
      const [received] = await receiver.until(1, isOfIt)
      if (received === undefined) throw new Error('nothing came')
      const { body, headers } = received
      expect(verify(webhook, received)).toMatchObject({ id: charge.body.id, status: 'SUCCESS' })
      const listed = await call(
        service.app,
        'GET',
        '/event?type=create_transaction',
        merchant.headers,
      )
      const [event] = listed.body.data
      expect(listed.text).toContain(`"data":${body}`)
      expect(headers).toMatchObject({
        'webhook-id': event.id,
        'event-sequence': String(event.sequence),
        'event-created-at': event.created_at,
      })
      expect(() => verify(webhook, { ...received, body: body.replace('12.5', '99.5') })).toThrow()
    },
  )

  it(
    'that fails gets the event again after some seconds, under the same id',
    LONG_TEST,
    async () => {
      receiver.behave({ status: 500, body: 'out of order' })
      const { id } = await webhooks.made({ target_url: receiver.url })
      await makeCustomer()
      const failed = await stateOf(id, ({ tries }) => tries === 1)
      const waitMs = (failed.dueAt?.getTime() ?? 0) - failed.updatedAt.getTime()
      expect(waitMs).toBeGreaterThanOrEqual(5_000)
      expect(waitMs).toBeLessThan(10_000)
      expect(failed).toMatchObject({ status: 'pending', lastError: '500 out of order' })
      receiver.behave({ status: 200 })
      await makeDueNow(failed.id)
      await stateOf(id, ({ status }) => status === 'sent')
      const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
      expect(ids).toEqual([failed.subjectId, failed.subjectId])
      expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
      const where = { id }
      const well = await service.world.db.prisma.webhook.findFirstOrThrow({ where })
      expect(well.failingSince).toBeNull()
    },
  )

  it('that asks for a later attempt gets it later', LONG_TEST, async () => {
    receiver.behave({ status: 503, headers: { 'retry-after': '600' } })
    const { id } = await webhooks.made({ target_url: receiver.url })
    await makeCustomer()
    const failed = await stateOf(id, ({ tries }) => tries === 1)
    const waitMs = (failed.dueAt?.getTime() ?? 0) - failed.updatedAt.getTime()
    expect(waitMs).toBeGreaterThanOrEqual(600_000)
  })

  it.each([
    ['says that it is gone', { status: 410 }, 0, /^It answered 410/],
    ['has failed for 5 days', { status: 500 }, 5 * DAY_MS, /^Nothing but failures for 5 days/],
  ])(
    'that %s is disabled, and its team is notified',
    LONG_TEST,
    async (_why, answer, ms, reason) => {
      await using others = await openReceiver()
      const { accountId, teamId } = merchant
      const { prisma } = service.world.db
      await prisma.team.update({ where: { id: teamId }, data: { email: 'team@merchant.example' } })
      await webhooks.made({ target_url: others.url, event: 'webhook_disabled' })
      const { id } = await webhooks.made({ target_url: receiver.url, event: 'create_customer' })
      const failingSince = ms === 0 ? null : new Date(Date.now() - ms)
      await prisma.webhook.updateMany({ where: { id }, data: { failingSince } })
      receiver.behave(answer)
      await makeCustomer()
      const [notice] = await others.until(1)
      expect(JSON.parse(notice?.body ?? '')).toMatchObject({
        id,
        status: 'disabled',
        disabled_reason: expect.stringMatching(reason),
      })
      expect(await stateOf(id, ({ status }) => status === 'parked')).toMatchObject({
        reason: 'no_target',
      })
      const where = { accountId, channel: 'email', subjectId: id } as const
      expect(await prisma.delivery.findMany({ where })).toMatchObject([
        { recipient: 'team@merchant.example', subject: 'webhook' },
      ])
      await makeCustomer()
      expect(await prisma.delivery.count({ where: { lane: id } })).toBe(1)
    },
  )
})

describe('an endpoint among others', () => {
  it('gets its events at once while others hang and are slow', LONG_TEST, async () => {
    await using dead = await openReceiver()
    await using slow = await openReceiver()
    dead.behave('hang')
    slow.behave({ status: 200, delayMs: 1_500 })
    await webhooks.made({ target_url: receiver.url, event: 'create_customer' })
    const undisturbedMs = await quickest(5)
    for (const { url } of [dead, slow]) {
      const slower = await service.merchant()
      await webhooksOf(service, slower).made({ target_url: url })
      await insertEventSeries(service, slower.accountId, { count: 100, from: new Date() })
    }
    service.world.queues.startRound('webhook')
    await Promise.all([dead.until(10), slow.until(10)])
    expect((await quickest(5)) - undisturbedMs).toBeLessThan(1_000)
    // Otherwise the case would have been easy.
    expect(slow.received.length).toBeLessThan(100)
    expect(await service.world.db.prisma.delivery.count({ where: { tries: 0 } })).toBeGreaterThan(
      50,
    )
  })

  /** From the answer that says that something changed to the request with its event. */
  async function quickest(times: number): Promise<number> {
    const took: number[] = []
    for (let i = 0; i < times; i += 1) {
      const before = receiver.received.length
      await makeCustomer()
      const startedMs = performance.now()
      const all = await receiver.until(before + 1)
      took.push((all[before]?.atMs ?? 0) - startedMs)
    }
    return Math.min(...took)
  }
})
