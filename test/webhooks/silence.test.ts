// An endpoint that does not answer rests, for all processes, so that it holds few places.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DeliveryChannel, deliveryOutcome } from '../../src/core/delivery.ts'
import { DAY, MINUTE, SECOND } from '../../src/core/time-units.ts'
import { BEFORE_ALL_QUEUES, claimDueDeliveries } from '../../src/deliveries/claim-due-deliveries.ts'
import { noteFailure, noteSuccess } from '../../src/webhooks/endpoint-health.ts'
import { pauseWebhook, resumeWebhook } from '../../src/webhooks/pause-webhook.ts'
import { insertDue } from '../support/deliveries.ts'
import type { Merchant, TestService } from '../support/test-service.ts'
import { openWebhookService, type TestWebhooks, webhooksOf } from '../support/webhooks.ts'

const OWED = 5
const ROOM = { mostAQueue: 64, mostAnAccount: 128, queues: new Map(), accounts: new Map() }

let service: TestService
let merchant: Merchant
let webhooks: TestWebhooks
let id: string

beforeAll(async () => {
  service = await openWebhookService()
})
afterAll(() => service.close())

beforeEach(async () => {
  merchant = await service.merchant()
  webhooks = webhooksOf(service, merchant)
  id = (await webhooks.made()).id as string
  const { accountId } = merchant
  const dueAt = new Date(Date.now() - SECOND)
  await insertDue(service.world.db.query, {
    accountId,
    channel: 'webhook',
    lane: id,
    count: OWED,
    dueAt,
  })
})

function row() {
  return service.world.db.prisma.webhook.findFirstOrThrow({ where: { id } })
}

async function attempted() {
  const { targetUrl, failingSince, silences } = await row()
  const { accountId } = merchant
  return { accountId, webhookId: id, requestId: 'a-request', targetUrl, failingSince, silences }
}

async function stayedSilent(): Promise<void> {
  await noteFailure(service.world, await attempted(), 'no answer within the time', true)
}

async function restIsOver(): Promise<void> {
  await service.world.db.query(
    "UPDATE webhook SET resting_until = resting_until - interval '1 hour' WHERE id = $1",
    [id],
  )
}

/** How many deliveries of the endpoint a claim at that instant takes; they are due again then. */
async function claimedAt(now: Date, queues: ReadonlyMap<string, number> = new Map()) {
  const { deliveries } = await claimDueDeliveries(service.world, {
    channel: 'webhook',
    now,
    leasedUntil: now,
    most: 256,
    room: { ...ROOM, queues },
    after: BEFORE_ALL_QUEUES,
    inHand: [],
  })
  return deliveries.filter(({ lane }) => lane === id).length
}

function later(ms: number): Date {
  return new Date(Date.now() + ms)
}

it('that an operator paused stays paused, whatever its merchant does', async () => {
  await pauseWebhook(service.world, { accountId: merchant.accountId, id })
  const { pausedAt } = await row()
  expect(pausedAt).not.toBeNull()
  expect(await claimedAt(later(0))).toBe(0)
  // What waits is claimed, only to fail: a disabled endpoint gets nothing.
  await webhooks.ask('PUT', `/${id}`, { status: 'disabled' })
  expect(await claimedAt(later(0))).toBe(OWED)
  const enabled = await webhooks.ask('PUT', `/${id}`, { status: 'active' })
  expect(enabled.body).toMatchObject({ status: 'active', paused_at: pausedAt?.toISOString() })
  expect(await claimedAt(later(0))).toBe(0)
  await webhooks.ask('DELETE', `/${id}`)
  expect(await claimedAt(later(0))).toBe(OWED)
})

it('has the whole time of tries for events that waited for a pause', async () => {
  const { query } = service.world.db
  const now = later(0)
  const { accountId } = merchant
  const longAgo = later(-8 * DAY)
  await query('UPDATE delivery SET due_at = $2, owed_at = $2 WHERE lane = $1', [id, longAgo])
  await insertDue(query, { accountId, channel: 'email', dueAt: longAgo })
  const claim = async (channel: DeliveryChannel) => {
    const claims = { now, leasedUntil: now, most: 256, room: ROOM, after: BEFORE_ALL_QUEUES }
    const claimed = await claimDueDeliveries(service.world, { ...claims, channel, inHand: [] })
    return claimed.deliveries.filter((one) => one.accountId === accountId)
  }
  const deliveries = await claim('webhook')
  expect(deliveries.map(({ owedAt }) => owedAt)).toEqual(Array(OWED).fill(now))
  const ownFault = { kind: 'away', detail: 'the database was away' } as const
  for (const one of deliveries) {
    expect(deliveryOutcome(one, ownFault, now, 0).status).toBe('pending')
  }
  // A message to a person is too old by then.
  expect((await claim('email')).map(({ owedAt }) => owedAt)).toEqual([longAgo])
})

describe('an endpoint that does not answer', () => {
  it('gets nothing while it rests, and one delivery at a time until it answers', async () => {
    expect(await claimedAt(later(0))).toBe(OWED)
    await stayedSilent()
    await stayedSilent()
    expect(await claimedAt(later(0))).toBe(0)
    expect(await claimedAt(later(2 * SECOND))).toBe(1)
    expect(await claimedAt(later(2 * SECOND), new Map([[id, 63]]))).toBe(0)
    await noteSuccess(service.world, await attempted())
    expect(await row()).toMatchObject({ silences: 0, restingUntil: null, failingSince: null })
    expect(await claimedAt(later(2 * SECOND))).toBe(OWED)
  })

  it('rests longer each time, for a minute at most', async () => {
    const rests: number[] = []
    for (let i = 0; i < 25; i += 1) {
      const before = Date.now()
      await stayedSilent()
      const { restingUntil } = await row()
      await restIsOver()
      rests.push(Math.round(((restingUntil?.getTime() ?? 0) - before) / SECOND))
    }
    expect(rests.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 32, MINUTE / SECOND])
    expect(new Set(rests.slice(7))).toEqual(new Set([MINUTE / SECOND]))
  })

  it('rests once for all deliveries that were under way together', async () => {
    const together = await attempted()
    const silences = Array.from({ length: 20 }, () =>
      noteFailure(service.world, together, 'no answer within the time', true),
    )
    await Promise.all(silences)
    expect((await row()).silences).toBe(1)
  })

  it('is still failing after a pause, whose time does not count', async () => {
    await noteFailure(service.world, await attempted(), '500')
    const { world } = service
    const ask = 'UPDATE webhook SET failing_since = $2, paused_at = $3 WHERE id = $1'
    await pauseWebhook(world, { accountId: merchant.accountId, id })
    await world.db.query(ask, [id, later(-4 * DAY), later(-3 * DAY)])
    await resumeWebhook(world, { accountId: merchant.accountId, id })
    const { failingSince } = await row()
    const sinceMs = world.clock.now().getTime() - (failingSince?.getTime() ?? 0)
    expect(sinceMs / DAY).toBeCloseTo(1, 2)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['answers, whatever it says', async () => noteFailure(service.world, await attempted(), '500')],
    ['moves to another address', () => webhooks.ask('PUT', `/${id}`, { target_url: OTHER })],
    [
      'is resumed by an operator',
      async () => {
        await pauseWebhook(service.world, { accountId: merchant.accountId, id })
        await resumeWebhook(service.world, { accountId: merchant.accountId, id })
      },
    ],
  ])('rests no more once it %s', async (_how, act) => {
    await stayedSilent()
    await act()
    expect(await row()).toMatchObject({ silences: 0, restingUntil: null })
    expect(await claimedAt(later(0))).toBe(OWED)
  })
})

const OTHER = 'https://other.example/hook'
