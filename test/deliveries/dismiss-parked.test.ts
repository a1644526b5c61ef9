// Dismissing a failed delivery: an operator has seen it, and it needs no more attention.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findDeliveries, listDeliveries } from '../../src/deliveries/find-deliveries.ts'
import { dismissAll, dismissNamed, retryAll, retryNamed } from '../../src/deliveries/parked.ts'
import { recordProviderReport } from '../../src/deliveries/provider-report.ts'
import { parkedByKind } from '../../src/upkeep/due-by-kind.ts'
import type { QueryWorld } from '../../src/world.ts'
import { type DeliveryOptions, insertDeliveries } from '../support/delivery-rows.ts'
import { daysAgo } from '../support/retention.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant
let other: Merchant

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
  merchant = await service.merchant()
  other = await service.merchant()
})
beforeEach(() => service.world.db.query('DELETE FROM delivery'))
afterAll(() => service.close())

const park = (count: number, options: DeliveryOptions = {}, whose = merchant) =>
  insertDeliveries(service, whose.accountId, count, {
    status: 'parked',
    at: daysAgo(1),
    ...options,
  })

const keyOf = (id: string | undefined, { accountId } = merchant) => ({ accountId, id: id ?? '' })

async function found(id: string | undefined) {
  return (await findDeliveries(service.world, [id ?? '']))[0]
}

async function waiting(): Promise<number> {
  const counts = await parkedByKind(service.world)
  return counts.reduce((all, { count }) => all + count, 0)
}

const listed = async (isDismissed: boolean) => {
  const status = isDismissed ? 'dismissed' : 'parked'
  const rows = await listDeliveries(service.world, { status, limit: 100 })
  return rows.map(({ id }) => id)
}

describe('a delivery that is closed', () => {
  it('stays failed, and needs no more attention', async () => {
    const [one, left] = await park(2)
    expect(await dismissNamed(service.world, [keyOf(one)])).toBe(1)
    expect(await found(one)).toMatchObject({ status: 'parked', closedAt: expect.any(Date) })
    expect([await listed(false), await listed(true)]).toEqual([[left], [one]])
    expect(await waiting()).toBe(1)
  })

  it('or sent again is neither without its audit entry', async () => {
    const [one] = await park(1)
    const cut = () => Promise.reject(new Error('no entry'))
    await expect(dismissNamed(service.world, [keyOf(one)], cut)).rejects.toThrow('no entry')
    await expect(retryNamed(service.world, [keyOf(one)], cut)).rejects.toThrow('no entry')
    expect(await found(one)).toMatchObject({ status: 'parked', closedAt: null })
  })

  it('is closed only once', async () => {
    const [one] = await park(1)
    const keys = [keyOf(one)]
    const both = await Promise.all([1, 2].map(() => dismissNamed(service.world, keys)))
    expect(both.toSorted()).toEqual([0, 1])
  })

  it('is retried if it is named, and not with all others', async () => {
    const [closed, open] = await park(2)
    await dismissNamed(service.world, [keyOf(closed)])
    expect(await retryAll(service.world, { channel: 'email' })).toBe(1)
    expect((await found(open))?.status).toBe('pending')
    expect((await found(closed))?.status).toBe('parked')
    expect(await retryNamed(service.world, [keyOf(closed)])).toBe(1)
    expect(await found(closed)).toMatchObject({ status: 'pending', closedAt: null })
  })

  it('that the provider reports as delivered later becomes delivered', async () => {
    const [id = ''] = await park(1, { channel: 'sms', reason: 'undelivered' })
    await dismissNamed(service.world, [keyOf(id)])
    const report = { ...keyOf(id), providerId: 'SM1', report: { kind: 'delivered' as const } }
    expect(await recordProviderReport(service.world, report)).toBe(true)
    expect(await found(id)).toMatchObject({ status: 'delivered', closedAt: null, reason: null })
  })

  it.each(['pending', 'sent', 'delivered'] as const)('is not one that is %s', async (status) => {
    const [id] = await insertDeliveries(service, merchant.accountId, 1, { status })
    expect(await dismissNamed(service.world, [keyOf(id)])).toBe(0)
    expect((await found(id))?.closedAt).toBe(null)
  })

  it('is not one of another account with the same id', async () => {
    const [id] = await park(1)
    expect(await dismissNamed(service.world, [keyOf(id, other)])).toBe(0)
  })
})

describe('a filter of deliveries to close', () => {
  it('takes what matches, and leaves the rest', async () => {
    const [refused] = await park(1, { reason: 'refused' })
    const [late] = await park(1, { reason: 'refused', at: daysAgo(9) })
    const [text] = await park(1, { reason: 'refused', channel: 'sms' })
    const [theirs] = await park(1, { reason: 'refused' }, other)
    const [expired] = await park(1, { reason: 'expired' })
    const accountIds = [merchant.accountId]
    const filter = { channel: 'email', reason: 'refused', accountIds, since: daysAgo(3) } as const
    expect(await dismissAll(service.world, filter)).toBe(1)
    expect(await listed(true)).toEqual([refused])
    const rest = [late, text, theirs, expired]
    expect(new Set(await listed(false))).toEqual(new Set(rest))
  })

  it('takes opted-out recipients with all others, in chunks', async () => {
    await park(1_100)
    await park(3, { channel: 'sms', reason: 'opted_out' })
    expect(await dismissAll(service.world, {})).toBe(1_103)
    expect(await waiting()).toBe(0)
    expect(await dismissAll(service.world, {})).toBe(0)
  })

  it('writes the audit entry of each chunk in its commit', async () => {
    await park(1_100)
    const counts: number[] = []
    const audit = async ({ db }: QueryWorld, count: number) => {
      const [row] = await db.query(`SELECT count(*)::integer AS left FROM delivery
        WHERE status = 'parked' AND closed_at IS NULL`)
      counts.push(count, row?.left)
      if (counts.length > 2) throw new Error('the audit log is away')
    }
    await expect(dismissAll(service.world, {}, audit)).rejects.toThrow('the audit log is away')
    expect(counts).toEqual([500, 600, 500, 100])
    // The chunk whose entry could not be written was not dismissed.
    expect(await waiting()).toBe(600)
    expect(await dismissAll(service.world, { channel: 'sms' }, audit)).toBe(0)
  })
})
