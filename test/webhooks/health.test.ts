// Since when an endpoint fails, and when it is disabled.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { noteFailure, noteGone, noteSuccess } from '../../src/webhooks/endpoint-health.ts'
import type { Merchant, TestService } from '../support/test-service.ts'
import { openWebhookService, type TestWebhooks, webhooksOf } from '../support/webhooks.ts'

const TEAM_EMAIL = 'team@merchant.example'

let service: TestService
let merchant: Merchant
let webhooks: TestWebhooks

beforeAll(async () => {
  service = await openWebhookService()
})

beforeEach(async () => {
  merchant = await service.merchant()
  webhooks = webhooksOf(service, merchant)
  const where = { id: merchant.teamId }
  await service.world.db.prisma.team.update({ where, data: { email: TEAM_EMAIL } })
})

afterAll(() => service.close())

async function made({ failingMs }: { failingMs?: number } = {}) {
  const { id } = await webhooks.made()
  if (failingMs === undefined) return id as string
  const failingSince = new Date(Date.now() - failingMs)
  await service.world.db.prisma.webhook.updateMany({ where: { id }, data: { failingSince } })
  return id as string
}

function row(id: string) {
  return service.world.db.prisma.webhook.findFirstOrThrow({ where: { id } })
}

async function attempted(webhookId: string) {
  const { accountId } = merchant
  const { targetUrl, failingSince, silences } = await row(webhookId)
  return { accountId, webhookId, requestId: 'a-request', targetUrl, failingSince, silences }
}

function eventsOf(id: string) {
  const where = { accountId: merchant.accountId, resourceId: id }
  return service.world.db.prisma.event.findMany({ where })
}

function lettersOf(id: string) {
  const where = { accountId: merchant.accountId, channel: 'email', subjectId: id } as const
  return service.world.db.prisma.delivery.findMany({ where })
}

describe('an endpoint', () => {
  it('fails since its first failure, until the next success', async () => {
    const id = await made()
    const world = service.world
    expect(await noteFailure(world, await attempted(id), '500')).toBe(false)
    const { failingSince, version } = await row(id)
    expect(Date.now() - (failingSince?.getTime() ?? 0)).toBeLessThan(20_000)
    await noteFailure(world, { ...(await attempted(id)), failingSince: null }, '500')
    expect((await row(id)).failingSince).toEqual(failingSince)
    await noteSuccess(world, await attempted(id))
    expect(await row(id)).toMatchObject({ failingSince: null, version, status: 'active' })
  })

  it('fails no more after a success that began before its first failure', async () => {
    const id = await made()
    const before = await attempted(id)
    await noteFailure(service.world, before, '500')
    expect((await row(id)).failingSince).not.toBeNull()
    await noteSuccess(service.world, before)
    expect((await row(id)).failingSince).toBeNull()
  })

  it('that has moved is judged by its new address alone', async () => {
    const id = await made()
    const world = service.world
    const before = await attempted(id)
    await webhooks.ask('PUT', `/${id}`, { target_url: 'https://moved.example/hook' })
    const moved = await row(id)
    expect(moved.targetUrl).not.toBe(before.targetUrl)
    expect(await noteGone(world, before)).toBe(false)
    expect(await noteFailure(world, before, 'no answer within the time', true)).toBe(false)
    const longAgo = { ...before, failingSince: new Date(Date.now() - 6 * DAY) }
    expect(await noteFailure(world, longAgo, '500')).toBe(false)
    expect(await row(id)).toEqual(moved)
  })

  it('that has not failed for 5 days is left as it is', async () => {
    const id = await made({ failingMs: 5 * DAY - 60_000 })
    expect(await noteFailure(service.world, await attempted(id), '500')).toBe(false)
    expect(await row(id)).toMatchObject({ status: 'active' })
  })

  it('is disabled after 5 days of nothing but failures, with one event and one e-mail', async () => {
    const other = await made()
    const id = await made({ failingMs: 5 * DAY })
    const before = await row(id)
    const attempt = await attempted(id)
    const all = await Promise.all(
      Array.from({ length: 10 }, () => noteFailure(service.world, attempt, '502 Bad Gateway')),
    )
    expect(all).toEqual(Array(10).fill(true))
    const shown = await webhooks.ask('GET', `/${id}`)
    expect(shown.body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'Nothing but failures for 5 days; the last one: 502 Bad Gateway',
    })
    const { version, failingSince, secret } = await row(id)
    expect({ version, failingSince }).toEqual({
      version: before.version + 1,
      failingSince: before.failingSince,
    })
    const events = await eventsOf(id)
    expect(events).toMatchObject([
      { type: 'webhook_disabled', sequence: version, requestId: 'a-request' },
    ])
    expect(events[0]?.snapshot).toEqual(shown.body)
    expect(JSON.stringify(events)).not.toContain(secret)
    expect(await lettersOf(id)).toMatchObject([
      {
        recipient: TEAM_EMAIL,
        subject: 'webhook',
        request: `disabled-${version}`,
        status: 'pending',
      },
    ])
    const where = { subjectId: events[0]?.id ?? '', channel: 'webhook' } as const
    const deliveries = await service.world.db.prisma.delivery.findMany({ where })
    expect(deliveries.map(({ lane }) => lane)).toEqual([other])
  })

  it('that is enabled again and gone once more has another event', async () => {
    const id = await made()
    await noteGone(service.world, await attempted(id))
    const enabled = await webhooks.ask('PUT', `/${id}`, { status: 'active' })
    expect(enabled.body).toMatchObject({ status: 'active', disabled_reason: null })
    await noteGone(service.world, await attempted(id))
    expect(await eventsOf(id)).toHaveLength(2)
    expect(await lettersOf(id)).toHaveLength(2)
  })

  it('that had a success in between is not disabled', async () => {
    const id = await made({ failingMs: 6 * DAY })
    const read = await attempted(id)
    await noteSuccess(service.world, read)
    expect(await noteFailure(service.world, read, '500')).toBe(false)
    expect(await row(id)).toMatchObject({ status: 'active' })
    expect(await eventsOf(id)).toEqual([])
  })

  it('whose team has no address is disabled without an e-mail', async () => {
    const where = { id: merchant.teamId }
    await service.world.db.prisma.team.update({ where, data: { email: null } })
    const id = await made()
    await noteGone(service.world, await attempted(id))
    expect(await row(id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'It answered 410: it is gone for good',
    })
    expect(await eventsOf(id)).toHaveLength(1)
    expect(await lettersOf(id)).toEqual([])
  })

  it('that its owner deleted or disabled meanwhile has no event', async () => {
    const [deleted, disabled] = [await made(), await made()]
    const attempts = [await attempted(deleted), await attempted(disabled)]
    await webhooks.ask('DELETE', `/${deleted}`)
    await webhooks.ask('PUT', `/${disabled}`, { status: 'disabled' })
    for (const attempt of attempts) await noteGone(service.world, attempt)
    expect(await row(disabled)).toMatchObject({ disabledReason: null })
    expect([...(await eventsOf(deleted)), ...(await eventsOf(disabled))]).toEqual([])
    expect(await lettersOf(deleted)).toEqual([])
  })

  it('whose success cannot be recorded has still got its delivery', async () => {
    const away = async () => Promise.reject(new Error('away'))
    const world = { ...service.world, db: { ...service.world.db, query: away } }
    const id = await made({ failingMs: DAY })
    await expect(noteSuccess(world, await attempted(id))).resolves.toBeUndefined()
  })
})
