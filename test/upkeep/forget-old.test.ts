// The data that the service deletes, the data that it keeps, and the size of its steps.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Query } from '../../src/db/database.ts'
import { forgetOld } from '../../src/upkeep/forget-old.ts'
import type { World } from '../../src/world.ts'
import { type DeliveryOptions, insertDeliveries } from '../support/delivery-rows.ts'
import { DAY, daysAgo, daysLater, eventIds, idMadeAt, insertEvents } from '../support/retention.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant
let prompted: string[]

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
})
beforeEach(async () => {
  for (const table of ['event', 'delivery', 'outbox_message']) {
    await service.world.db.query(`DELETE FROM ${table}`)
  }
  merchant = await service.merchant()
  prompted = []
})
afterAll(() => service.close())

/** A world in which only the test prompts. */
function watched(world: World, wrap = (query: Query) => query): World {
  const queues = { startRound: (queue: string) => prompted.push(queue) }
  const db: World['db'] = {
    ...world.db,
    commit: (about, work) => world.db.commit(about, (query) => work(wrap(query))),
  }
  return { ...world, db, queues: queues as unknown as World['queues'] }
}

const forget = (most?: number) => forgetOld(watched(service.world), most)

const eventsOf = ({ accountId }: Merchant) => eventIds(service, accountId)

describe('events', () => {
  it('are kept for thirty days, and no longer than a round needs', async () => {
    const { accountId } = merchant
    await insertEvents(service, accountId, 3, daysAgo(30))
    const young = await insertEvents(service, accountId, 3, daysAgo(29.99))
    expect(await forget()).toBe(3)
    expect(await eventsOf(merchant)).toEqual(young)
    expect(prompted).toEqual([])
    expect(await forget()).toBe(0)
  })

  it('are deleted in every account that has old ones', async () => {
    const others = [await service.merchant(), await service.merchant('live')]
    const accounts = [merchant, ...others].map(({ accountId }) => accountId)
    for (const one of accounts) await insertEvents(service, one, 2, daysAgo(31))
    const [kept = ''] = await insertEvents(service, others[0]?.accountId ?? '', 1, daysAgo(1))
    expect(await forget()).toBe(6)
    const left = await service.world.db.query('SELECT id FROM event')
    expect(left).toEqual([{ id: kept }])
  })

  it.each(['2001-01-01', '2095-06-01'])(
    'go by the real time at which they were made, though the account lives in %s',
    async (own) => {
      const { accountId } = merchant
      const clockAt = new Date(own)
      const [young] = await insertEvents(service, accountId, 1, daysAgo(29))
      await insertEvents(service, accountId, 1, daysAgo(31))
      await service.world.db.query('UPDATE event SET created_at = $1', [clockAt])
      await service.world.db.query('UPDATE account SET clock_at = $2 WHERE id = $1', [
        accountId,
        clockAt,
      ])
      expect(await forget()).toBe(1)
      expect(await eventsOf(merchant)).toEqual([young])
    },
  )
})

describe('a round', () => {
  it('goes in chunks of a thousand, each in its own commit', async () => {
    await insertEvents(service, merchant.accountId, 2_500, daysAgo(31))
    const gone: number[] = []
    const left: number[] = []
    const world = watched(service.world, (query) => async (text, values) => {
      const rows = await query(text, values)
      if (!text.includes('DELETE FROM event')) return rows
      // Another connection sees the state that was committed before.
      left.push((await eventsOf(merchant)).length)
      gone.push(rows[0]?.gone)
      return rows
    })
    expect(await forgetOld(world)).toBe(2_500)
    expect(left).toEqual([2_500, 1_500, 500])
    expect(gone).toEqual([1_000, 1_000, 500])
  })

  it('leaves the rest beyond its bound to the next one, which follows at once', async () => {
    const other = await service.merchant()
    await insertEvents(service, merchant.accountId, 7, daysAgo(31))
    await insertEvents(service, other.accountId, 7, daysAgo(31))
    const rounds = [await forget(5), await forget(5), await forget(5)]
    expect(rounds).toEqual([5, 5, 4])
    expect(prompted).toEqual(['retention', 'retention'])
  })

  it('that dies between two chunks loses nothing', async () => {
    const { accountId } = merchant
    await insertEvents(service, accountId, 1_200, daysAgo(31))
    const young = await insertEvents(service, accountId, 2, daysAgo(1))
    let chunks = 0
    const world = watched(service.world, (query) => async (text, values) => {
      chunks += text.includes('DELETE FROM event') ? 1 : 0
      if (chunks === 2) throw new Error('the process was killed')
      return query(text, values)
    })
    await expect(forgetOld(world)).rejects.toThrow('killed')
    expect(await eventsOf(merchant)).toHaveLength(202)
    expect(await forget()).toBe(200)
    expect(await eventsOf(merchant)).toEqual(young)
  })

  it('deletes the other kinds if one fails, and then fails too', async () => {
    await insertEvents(service, merchant.accountId, 2, daysAgo(31))
    await insert(7, { at: daysAgo(91) })
    const world = watched(service.world, (query) => (text, values) => {
      if (text.includes('DELETE FROM event')) throw new Error('the index is corrupt')
      return query(text, values)
    })
    await expect(forgetOld(world, 5)).rejects.toThrow('the index is corrupt')
    expect(await deliveries()).toHaveLength(2)
    expect(await eventsOf(merchant)).toHaveLength(2)
    // More are left of what can be deleted.
    expect(prompted).toEqual(['retention'])
  })

  it('beside another does no harm', async () => {
    await insertEvents(service, merchant.accountId, 2_200, daysAgo(31))
    await insert(50, { at: daysAgo(91) })
    const gone = await Promise.all([forget(), forget(), forget()])
    expect(gone.reduce((a, b) => a + b, 0)).toBe(2_250)
    expect(await eventsOf(merchant)).toEqual([])
  })
})

const NEXT = 'UPDATE webhook SET replay_after_id = $1 WHERE replay_id IS NOT NULL'

describe('an event with a pending delivery', () => {
  it('stays until the delivery is sent or parked', async () => {
    await insertWebhook()
    await call(service.app, 'POST', '/customer', merchant.headers, { firstname: 'Ada' })
    const [owed] = await eventsOf(merchant)
    const later = watched(daysLater(service.world, 31))
    await forgetOld(later)
    expect(await eventsOf(merchant)).toEqual([owed])
    await service.world.db.query(
      `UPDATE delivery SET status = 'parked', reason = 'out_of_tries', due_at = NULL, updated_at = $1`,
      [later.clock.now()],
    )
    await forgetOld(later)
    expect(await eventsOf(merchant)).toEqual([])
  })

  it('stays until its replay has passed it', async () => {
    const [first, second, third] = await insertEvents(service, merchant.accountId, 3, daysAgo(31))
    const [late] = await insertEvents(service, merchant.accountId, 1, daysAgo(30.5))
    await insertWebhook({ afterId: first, until: daysAgo(30.6) })
    expect(await forget()).toBe(2)
    expect(await eventsOf(merchant)).not.toContain(late)
    expect(await eventsOf(merchant)).toEqual([second, third])
    await service.world.db.query(NEXT, [second])
    expect(await forget()).toBe(1)
    expect(await eventsOf(merchant)).toEqual([third])
  })

  it('keeps no other from being deleted, however many stay', async () => {
    const { accountId } = merchant
    const owed = await insertEvents(service, accountId, 1_100, daysAgo(32))
    await insertEvents(service, accountId, 5, daysAgo(31))
    await insert(1_100, { channel: 'webhook', status: 'pending', subjects: owed })
    expect(await forget(3)).toBe(3)
    expect(await forget(3)).toBe(2)
    expect(await eventsOf(merchant)).toEqual(owed)
  })
})

describe('deliveries', () => {
  it.each(['sent', 'delivered', 'parked'] as const)(
    'that are %s go after 90 days',
    async (status) => {
      await insert(2, { status, at: daysAgo(91) })
      await insert(1, { status, at: daysAgo(89) })
      expect(await forget()).toBe(2)
      expect(await deliveries()).toHaveLength(1)
    },
  )

  it('that are due stay, however old they are', async () => {
    await insert(2, { status: 'pending', at: daysAgo(1_000) })
    expect(await forget()).toBe(0)
    expect(await deliveries()).toHaveLength(2)
  })

  it('are kept for the days in the settings, and so is the outbox', async () => {
    const config = { ...service.world.config, deliveryRetentionDays: 7 }
    await insert(1, { at: daysAgo(8) })
    await insert(1, { at: daysAgo(6) })
    for (const days of [8, 7.1, 6]) await insertMessage(daysAgo(days))
    expect(await forgetOld(watched({ ...service.world, config }))).toBe(3)
    expect(await deliveries()).toHaveLength(1)
    expect(await service.world.db.query('SELECT FROM outbox_message')).toHaveLength(1)
  })

  it('are deleted in bounded rounds as well', async () => {
    await insert(5, { at: daysAgo(91) })
    expect([await forget(3), await forget(3)]).toEqual([3, 2])
    expect(prompted).toEqual(['retention'])
  })
})

const deliveries = () => service.world.db.query('SELECT * FROM delivery')

const insert = (count: number, options: DeliveryOptions) =>
  insertDeliveries(service, merchant.accountId, count, options)

async function insertMessage(at: Date): Promise<void> {
  await service.world.db.query(
    `INSERT INTO outbox_message (account_id, id, delivery_id, channel, recipient, text, created_at)
     VALUES ($1, $2, $2, 'sms', '+12025550123', 'Thank you', $3)`,
    [merchant.accountId, idMadeAt(service.world, at), at],
  )
}

async function insertWebhook(replay?: {
  readonly afterId: string | undefined
  readonly until: Date
}): Promise<void> {
  const at = new Date(Date.now() - DAY)
  await service.world.db.query(
    `INSERT INTO webhook (account_id, id, target_url, events, secret, created_at, updated_at,
       replay_id, replay_after, replay_after_id, replay_until, due_at)
     VALUES ($1, $2, 'https://shop.example/hook', '{*}', 'whsec_test', $3, $3, $4, $5, $6, $7, $8)`,
    [
      merchant.accountId,
      service.world.newId(),
      at,
      replay === undefined ? null : service.world.newId(),
      replay?.until ?? null,
      replay?.afterId ?? null,
      replay?.until ?? null,
      replay === undefined ? null : at,
    ],
  )
}
