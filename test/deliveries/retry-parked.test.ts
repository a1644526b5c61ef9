// Failed deliveries that a person retries.

import assert from 'node:assert'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deliveryView } from '../../src/deliveries/delivery-view.ts'
import { findDeliveries, listDeliveries } from '../../src/deliveries/find-deliveries.ts'
import type { ParkedFilter } from '../../src/deliveries/parked.ts'
import { retryAll, retryNamed } from '../../src/deliveries/parked.ts'
import type { World } from '../../src/world.ts'
import { type DeliveryOptions, insertDeliveries } from '../support/delivery-rows.ts'
import { documentOf, schemaCheck } from '../support/document.ts'
import { daysAgo, insertEvents } from '../support/retention.ts'
import type { Merchant, TestService } from '../support/test-service.ts'
import { openWebhookService, webhooksOf } from '../support/webhooks.ts'

let service: TestService
let merchant: Merchant
let other: Merchant
let prompted: string[]

beforeAll(async () => {
  service = await openWebhookService({ backend: 'postgres' })
  merchant = await service.merchant()
  other = await service.merchant()
})
beforeEach(async () => {
  await service.world.db.query('DELETE FROM delivery')
  prompted = []
})
afterAll(() => service.close())

function watched(): World {
  const ensureRound = async (queue: string) => void prompted.push(queue)
  return { ...service.world, queues: { ensureRound } as unknown as World['queues'] }
}

const park = (count: number, options: DeliveryOptions = {}, whose = merchant) =>
  insertDeliveries(service, whose.accountId, count, { status: 'parked', ...options })

const all = (filter: ParkedFilter) => retryAll(watched(), filter)

async function statusOf(id: string | undefined): Promise<string | undefined> {
  return (await findDeliveries(service.world, [id ?? '']))[0]?.status
}

describe('a delivery that is retried', () => {
  it('is due now as if it were new, and its history shows the retry', async () => {
    const [id = ''] = await park(1, { reason: 'undelivered', at: daysAgo(2) })
    await service.world.db.query(`UPDATE delivery SET provider_id = 'SM1'`)
    const [parked] = await findDeliveries(service.world, [id])
    const before = Date.now()
    expect(await retryNamed(watched(), [{ accountId: merchant.accountId, id }])).toBe(1)
    const [owed] = await findDeliveries(service.world, [id])
    const fresh = { status: 'pending', tries: 0, reason: null, lastError: null, sentAt: null }
    expect(owed).toMatchObject({ ...fresh, providerId: 'SM1', attempt: parked?.attempt })
    expect(owed?.dueAt?.getTime()).toBeGreaterThanOrEqual(before)
    expect(owed?.owedAt).toEqual(owed?.dueAt)
    expect(owed?.createdAt).toEqual(parked?.createdAt)
    const line = { at: owed?.dueAt?.toISOString(), by: 'operator' }
    expect(owed?.history).toEqual([expect.objectContaining({ answer: 'failed' }), line])
    assert(owed !== undefined)
    const shown = JSON.parse(JSON.stringify(deliveryView(owed)))
    await service.app.ready()
    const faultsOf = schemaCheck(documentOf(service.app))
    expect(faultsOf(['components', 'schemas', 'Delivery'], shown)).toEqual([])
    expect(prompted).toEqual(['email'])
  })

  it('keeps a history of bounded length', async () => {
    const [id = ''] = await park(1)
    const key = { accountId: merchant.accountId, id }
    for (let i = 0; i < 45; i += 1) {
      await retryNamed(watched(), [key])
      await service.world.db.query(
        `UPDATE delivery SET status = 'parked', reason = 'refused', due_at = NULL`,
      )
    }
    const [found] = await findDeliveries(service.world, [id])
    expect(found?.history).toHaveLength(40)
  })

  it.each(['pending', 'sent', 'delivered'] as const)('is not one that is %s', async (status) => {
    const [id = ''] = await park(1, { status })
    expect(await retryNamed(watched(), [{ accountId: merchant.accountId, id }])).toBe(0)
    expect(await all({})).toBe(0)
    expect(await statusOf(id)).toBe(status)
    expect(prompted).toEqual([])
  })

  it('is not one of another account with the same id', async () => {
    const [id = ''] = await park(1)
    expect(await retryNamed(watched(), [{ accountId: other.accountId, id }])).toBe(0)
    expect(await statusOf(id)).toBe('parked')
  })
})

describe('a filter', () => {
  it('takes what matches, and leaves the rest', async () => {
    const [email] = await park(1, { at: daysAgo(1) })
    const [sms] = await park(1, { channel: 'sms', at: daysAgo(1) })
    const [old] = await park(1, { at: daysAgo(9) })
    const [refused] = await park(1, { reason: 'refused', at: daysAgo(1) })
    const [others] = await park(1, { at: daysAgo(1) }, other)
    const filter = { channel: 'email', reason: 'out_of_tries', since: daysAgo(2) } as const
    expect(await all({ ...filter, accountIds: [merchant.accountId] })).toBe(1)
    expect(await statusOf(email)).toBe('pending')
    for (const id of [sms, old, refused, others]) expect(await statusOf(id)).toBe('parked')
    expect(prompted).toEqual(['email'])
    expect(await all({})).toBe(4)
    expect([...prompted].sort()).toEqual(['email', 'email', 'sms'])
  })

  it('leaves opted-out recipients alone, unless it names them', async () => {
    const [id] = await park(1, { channel: 'sms', reason: 'opted_out', at: daysAgo(1) })
    expect(await all({ channel: 'sms' })).toBe(0)
    expect(await statusOf(id)).toBe('parked')
    expect(await all({ reason: 'opted_out' })).toBe(1)
  })

  it('goes in chunks, and takes nothing twice that is parked again meanwhile', async () => {
    await park(1_100, { at: daysAgo(1) })
    const world = watched()
    const again: World = {
      ...world,
      db: {
        ...world.db,
        async commit(about, work) {
          const done = await service.world.db.commit(about, work)
          // The provider refuses them all, faster than the filter goes through them.
          await service.world.db.query(
            `UPDATE delivery SET status = 'parked', reason = 'refused', due_at = NULL
             WHERE status = 'pending'`,
          )
          return done
        },
      },
    }
    expect(await retryAll(again, { channel: 'email' })).toBe(1_100)
    expect(prompted).toHaveLength(3)
  })

  it('that two people use at once retries each delivery once', async () => {
    await park(700, { at: daysAgo(1) })
    const counts = await Promise.all([all({}), all({})])
    expect(counts.reduce((a, b) => a + b, 0)).toBe(700)
    const [row] = await service.world.db.query(
      'SELECT count(*)::integer AS count FROM delivery WHERE jsonb_array_length(history) = 2',
    )
    expect(row?.count).toBe(700)
  })

  it('leaves deliveries whose events are gone, and finds the others', async () => {
    const events = await insertEvents(service, merchant.accountId, 1, daysAgo(1))
    const at = daysAgo(1)
    const endpoint = (await webhooksOf(service, merchant).made()).id
    const [kept] = await park(1, { channel: 'webhook', endpoint, subjects: events, at })
    const [forgotten] = await park(1, { channel: 'webhook', endpoint, at })
    const found = await findDeliveries(service.world, [kept ?? '', forgotten ?? ''])
    expect(Object.fromEntries(found.map(({ id, hasSubject }) => [id, hasSubject]))).toEqual({
      [kept ?? '']: true,
      [forgotten ?? '']: false,
    })
    expect(await all({ channel: 'webhook' })).toBe(1)
    expect([await statusOf(kept), await statusOf(forgotten)]).toEqual(['pending', 'parked'])
  })

  it('leaves deliveries to endpoints that are disabled or deleted', async () => {
    const events = await insertEvents(service, merchant.accountId, 1, daysAgo(1))
    const endpoint = (await webhooksOf(service, merchant).made()).id
    const [id = ''] = await park(1, { channel: 'webhook', endpoint, subjects: events })
    const key = { accountId: merchant.accountId, id }
    const set = (status: string, deletedAt: Date | null) =>
      service.world.db.query('UPDATE webhook SET status = $1, deleted_at = $2', [status, deletedAt])
    for (const isDeleted of [false, true]) {
      await (isDeleted ? set('active', daysAgo(0)) : set('disabled', null))
      expect(await all({ channel: 'webhook' })).toBe(0)
      expect(await retryNamed(watched(), [key])).toBe(0)
      expect((await findDeliveries(service.world, [id]))[0]).toMatchObject({ hasEndpoint: false })
    }
    await set('active', null)
    expect(await retryNamed(watched(), [key])).toBe(1)
  })
})

describe('the list', () => {
  it.each(['parked', 'pending', 'sent', 'delivered'] as const)(
    'shows what is %s, the newest first',
    async (status) => {
      const [older] = await park(1, { status, at: daysAgo(3) })
      const [newer] = await park(1, { status, at: daysAgo(1) })
      const [others] = await park(1, { status, at: daysAgo(2), channel: 'sms' }, other)
      await park(1, { status: status === 'sent' ? 'parked' : 'sent' })
      const ids = async (filter: object) =>
        (await listDeliveries(service.world, { status, limit: 10, ...filter })).map(({ id }) => id)
      expect(await ids({})).toEqual([newer, others, older])
      expect(await ids({ limit: 2 })).toEqual([newer, others])
      expect(await ids({ channel: 'sms' })).toEqual([others])
      expect(await ids({ accountIds: [merchant.accountId] })).toEqual([newer, older])
      expect(await ids({ since: daysAgo(2.5) })).toEqual([newer, others])
    },
  )
})
