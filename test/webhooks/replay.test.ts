// A replay delivers the events since an instant once more: all of them, once, even if its worker
// dies or two do it.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../src/core/time-units.ts'
import { QUEUE_CHUNK, queueChunk, queueReplays } from '../../src/webhooks/replay-events.ts'
import type { World } from '../../src/world.ts'
import { openFurther } from '../support/further.ts'
import { expectRefusal } from '../support/requests.ts'
import type { Merchant, TestService } from '../support/test-service.ts'
import {
  insertEventSeries,
  openWebhookService,
  type TestWebhooks,
  webhooksOf,
  webhooksTo,
} from '../support/webhooks.ts'

/** Longer than a replay waits for commits that began before it. */
const SETTLED_MS = 10_000

const MANY = 2_500

const SENT = `
  UPDATE delivery SET status = 'sent', due_at = NULL, sent_at = $2 WHERE account_id = $1`

const LONG = { timeout: 60_000 }
const START_MS = 120_000

describe('a replay', LONG, () => {
  let service: TestService
  let merchant: Merchant
  let webhooks: TestWebhooks
  let aheadMs = 0

  const clock = { now: () => new Date(Date.now() + aheadMs) }
  const ago = (ms: number) => new Date(clock.now().getTime() - ms)

  beforeAll(async () => {
    service = await openWebhookService({ clock })
  }, START_MS)
  beforeEach(async () => {
    aheadMs = 0
    merchant = await service.merchant()
    webhooks = webhooksOf(service, merchant)
  })
  afterAll(() => service.close())

  const insert = (count: number, from: Date, type?: string) =>
    insertEventSeries(service, merchant.accountId, { count, from, ...(type && { type }) })

  /** Waits until it may begin. */
  async function begun(id: string, since: Date): Promise<void> {
    const answer = await webhooks.ask('POST', `/${id}/replay`, { since })
    expect([answer.status, answer.body.replaying]).toEqual([200, true])
    aheadMs += SETTLED_MS
  }

  const isReplaying = async (id: string) => (await webhooks.ask('GET', `/${id}`)).body.replaying

  /** The ids of the account's events in their order. */
  async function eventIds(): Promise<readonly string[]> {
    const sql = 'SELECT id FROM event WHERE account_id = $1 ORDER BY id'
    return (await service.world.db.query(sql, [merchant.accountId])).map(({ id }) => id)
  }

  async function replayed(id: string): Promise<readonly string[]> {
    const owed = await webhooksTo(service, id)
    return owed.filter(({ request }) => request !== 'event').map((one) => one.subject_id)
  }

  it('delivers the later events of its types, with their own instants', async () => {
    await insert(2, ago(3 * HOUR))
    await insert(3, ago(HOUR))
    await insert(2, ago(HOUR - 1_000), 'create_batch')
    const { id, secret: _, ...shown } = await webhooks.made({ event: 'create_customer' })
    await webhooks.ask('POST', `/${id}/test`)
    const since = ago(2 * HOUR)
    const { body } = await webhooks.ask('POST', `/${id}/replay`, { since })
    expect(body).toEqual({ id, ...shown, replaying: true })
    expect(await queueReplays(service.world)).toBe(0)
    aheadMs += SETTLED_MS
    expect(await queueReplays(service.world)).toBe(3)
    expect(await replayed(id)).toEqual([
      ...(await eventIds()).slice(2, 5),
      expect.any(String), // The last one is the test event.
    ])
    const [owed] = await webhooksTo(service, id)
    expect(owed).toMatchObject({ type: 'create_customer', status: 'pending', request_id: 'r' })
    expect(Number(owed?.due_at)).toBeGreaterThan(Number(since) + HOUR)
    expect(await isReplaying(id)).toBe(false)
    expect((await webhooks.ask('GET', `/${id}`)).body).toEqual({ id, ...shown })
  })

  it('delivers the events of the very instant, and none of the millisecond before', async () => {
    const since = ago(HOUR)
    await insert(3, new Date(since.getTime() - 1))
    const { id } = await webhooks.made()
    await begun(id, since)
    await queueReplays(service.world)
    expect(await replayed(id)).toEqual((await eventIds()).slice(1))
  })

  it('delivers events again that were delivered already, and once more in another replay', async () => {
    const { id } = await webhooks.made()
    await insert(2, ago(HOUR))
    for (const times of [2, 3]) {
      await service.world.db.query(SENT, [merchant.accountId, clock.now()])
      await begun(id, ago(2 * HOUR))
      await queueReplays(service.world)
      expect(await webhooksTo(service, id)).toHaveLength(2 * times)
    }
    const requests = (await webhooksTo(service, id)).map(({ request }) => request)
    expect(new Set(requests).size).toBe(3)
  })

  it('of events that the endpoint is still to get sends these now, and none twice', async () => {
    const { id } = await webhooks.made()
    await insert(3, ago(HOUR))
    const { accountId } = merchant
    const ids = (await webhooksTo(service, id)).map((one) => one.subject_id)
    const { db } = service.world
    const later = 'UPDATE delivery SET due_at = $2, owed_at = $3 WHERE account_id = $1'
    await db.query(later, [accountId, new Date(clock.now().getTime() + DAY), ago(8 * DAY)])
    await db.query(`${SENT} AND subject_id = $3`, [accountId, clock.now(), ids[0]])
    for (let time = 0; time < 2; time += 1) {
      await begun(id, ago(2 * HOUR))
      await queueReplays(service.world)
      expect(await isReplaying(id)).toBe(false)
    }
    const owed = await webhooksTo(service, id)
    expect(owed.map((one) => one.subject_id).sort()).toEqual([ids[0], ...ids].sort())
    const waiting = owed.filter(({ status }) => status === 'pending')
    expect(waiting).toHaveLength(3)
    for (const { due_at } of waiting)
      expect(Number(due_at)).toBeLessThanOrEqual(Number(clock.now()))
    // They have the whole time of tries again.
    const old = `SELECT FROM delivery WHERE account_id = $1 AND status = 'pending' AND owed_at < $2`
    expect(await db.query(old, [accountId, ago(HOUR)])).toEqual([])
  })

  it('leaves out an event that went out a hundred times within a day or five hundred in all', async () => {
    const { db } = service.world
    await insert(2, ago(HOUR))
    const [often, once] = await eventIds()
    const { id } = await webhooks.made()
    // 99 times to endpoints that are deleted since.
    const add = (count: number, request: string) =>
      db.query(
        `INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
           status, request_id, created_at, updated_at, owed_at, sent_at)
         SELECT $1, gen_random_uuid(), 'webhook', gen_random_uuid(), 'event', $2, n::text, $3,
           'sent', 'r', $4, $4, $4, $4 FROM generate_series(1, $5::integer) n`,
        [merchant.accountId, often, request, clock.now(), count],
      )
    await add(99, 'some')
    await begun(id, ago(2 * HOUR))
    await queueReplays(service.world)
    expect(await replayed(id)).toEqual([often, once])
    await db.query(SENT, [merchant.accountId, clock.now()])
    await begun(id, ago(2 * HOUR))
    await queueReplays(service.world)
    expect([...(await replayed(id))].sort()).toEqual([often, once, once])
    await db.query(SENT, [merchant.accountId, clock.now()])
    aheadMs += DAY
    await begun(id, ago(2 * DAY))
    await queueReplays(service.world)
    expect([...(await replayed(id))].sort()).toEqual([often, often, once, once, once])
    // Five hundred in all, so that those of a month are never counted.
    await db.query(SENT, [merchant.accountId, clock.now()])
    await add(399, 'more')
    aheadMs += DAY
    await begun(id, ago(3 * DAY))
    await queueReplays(service.world)
    expect([...(await replayed(id))].sort()).toEqual([often, often, once, once, once, once])
  })

  it('of many goes on after the last chunk when its worker has died', async () => {
    await insert(MANY, ago(HOUR))
    const { id } = await webhooks.made()
    await begun(id, ago(2 * HOUR))
    await queueChunk(service.world)
    expect(await replayed(id)).toEqual((await eventIds()).slice(0, 1_000))
    // It dies in the middle of a chunk, which is undone.
    const dying = service.world.db.commit('a death', async (query) => {
      expect(
        await queueChunk({ ...service.world, db: { ...service.world.db, query } }),
      ).toBeDefined()
      throw new Error('stopped by the test')
    })
    await expect(dying).rejects.toThrow('stopped by the test')
    expect(await replayed(id)).toHaveLength(1_000)
    expect(await isReplaying(id)).toBe(true)
    await using further = await openFurther(service)
    await queueReplays(further.world)
    expect(await replayed(id)).toEqual(await eventIds())
    expect(await isReplaying(id)).toBe(false)
  })

  it('of many delivers each event once, though another worker does it at the same moment', async () => {
    await insert(MANY, ago(HOUR))
    const { id } = await webhooks.made()
    await begun(id, ago(2 * HOUR))
    await using further = await openFurther(service)
    const worlds: readonly World[] = [service.world, further.world, service.world, further.world]
    const owed = await Promise.all(worlds.map((world) => queueReplays(world)))
    // Two that reach for the rest at the same moment may both leave it to the next round.
    owed.push(await queueReplays(service.world))
    expect(owed.reduce((sum, count) => sum + count, 0)).toBe(MANY)
    expect(await replayed(id)).toEqual(await eventIds())
  })

  it('that is held when its worker reaches for the rest goes on in another round', async () => {
    await insert(MANY, ago(HOUR))
    await begun((await webhooks.made()).id, ago(2 * HOUR))
    const { db } = service.world
    const rounds: string[] = []
    let chunks = 0
    const query: typeof db.query = async (text, values) => {
      if (text === QUEUE_CHUNK) chunks += 1
      return chunks > 1 ? [] : db.query(text, values)
    }
    const queues = { startRound: (queue: string) => rounds.push(queue) }
    const held = { ...service.world, db: { ...db, query }, queues } as unknown as World
    expect(await queueReplays(held)).toBeGreaterThan(0)
    expect(rounds).toEqual(['webhook'])
    await queueReplays(service.world)
  })

  it('reads events again without delivering them twice', async () => {
    await insert(3, ago(HOUR))
    const { id } = await webhooks.made()
    await begun(id, ago(2 * HOUR))
    const sql = 'SELECT * FROM webhook WHERE id = $1'
    const [before] = await service.world.db.query(sql, [id])
    await queueReplays(service.world)
    await service.world.db.query(
      `UPDATE webhook SET replay_id = $2, replay_after = $3, replay_after_id = $4,
         replay_until = $5, due_at = $6 WHERE id = $1`,
      [
        id,
        before?.replay_id,
        before?.replay_after,
        before?.replay_after_id,
        before?.replay_until,
        before?.due_at,
      ],
    )
    expect(await queueReplays(service.world)).toBe(0)
    expect(await replayed(id)).toEqual(await eventIds())
  })

  it('takes turns with the replays of others', async () => {
    await insert(MANY, ago(HOUR))
    const ids = [(await webhooks.made()).id, (await webhooks.made()).id]
    for (const id of ids) await begun(id, ago(2 * HOUR))
    const turns = []
    for (let chunk = 0; chunk < 4; chunk += 1) {
      turns.push((await queueChunk(service.world))?.id)
      aheadMs += 1
    }
    expect(turns).toEqual([...ids, ...ids])
  })

  it.each([
    ['disabled', (id: string) => webhooks.ask('PUT', `/${id}`, { status: 'disabled' })],
    ['deleted', (id: string) => webhooks.ask('DELETE', `/${id}`)],
    [
      'disabled by the service',
      (id: string) =>
        service.world.db.query("UPDATE webhook SET status = 'disabled' WHERE id = $1", [id]),
    ],
  ])('ends when its endpoint is %s', async (_what, end) => {
    await insert(3, ago(HOUR))
    const { id } = await webhooks.made()
    await begun(id, ago(2 * HOUR))
    await end(id)
    expect(await queueReplays(service.world)).toBe(0)
    expect(await replayed(id)).toEqual([])
    const [row] = await service.world.db.query('SELECT due_at FROM webhook WHERE id = $1', [id])
    expect(row).toEqual({ due_at: null })
  })

  it('is refused while one is in progress, and while its endpoint is disabled', async () => {
    const { id } = await webhooks.made()
    const since = ago(HOUR)
    const ask = () => webhooks.ask('POST', `/${id}/replay`, { since })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expectRefusal(await ask(), 409, 'replay_under_way')
    await webhooks.ask('PUT', `/${id}`, { status: 'disabled' })
    expectRefusal(await ask(), 409, 'wrong_state')
    await webhooks.ask('PUT', `/${id}`, { status: 'active' })
    expect((await ask()).body).toMatchObject({ replaying: true })
  })

  it.each([
    ['nothing', () => undefined],
    ['no instant', () => 'yesterday'],
    ['null', () => null],
    ['the future', () => ago(-60_000)],
    ['a time of which no event is kept', () => ago(30 * DAY + 60_000)],
  ])('of %s is refused', async (_what, since) => {
    const { id } = await webhooks.made()
    const answer = await webhooks.ask('POST', `/${id}/replay`, { since: since() })
    expectRefusal(answer, 400, 'invalid_request', ['since'])
    expect(await isReplaying(id)).toBe(false)
  })

  it('goes back as far as events are kept', async () => {
    const { id } = await webhooks.made()
    await begun(id, ago(30 * DAY - 60_000))
  })
})
