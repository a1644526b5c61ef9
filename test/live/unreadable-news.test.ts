// News of Stripe that cannot be read, and the news that can be meanwhile.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { readNews } from './feed.ts'
import { type LiveService, openLiveService } from './live-service.ts'

/** Disputes that cannot be read, and newer ones that can. */
const [UNREADABLE, NEWER] = [10, 3]

let live: LiveService
let card: string

beforeAll(async () => {
  live = await openLiveService({ queues: ['charge'] })
  card = await live.method('pm_card_visa')
  await readNews(live)
})
afterAll(() => live[Symbol.asyncDispose]())

async function openDispute(): Promise<string> {
  const { body } = await live.post('/charge', { total: 20, payment_method_id: card })
  return live.stripe.openDispute(body.auth_id).id
}

/** The recorded disputes by the gateway's ids. */
async function statuses(): Promise<ReadonlyMap<string, string>> {
  const { body } = await live.get('/dispute?limit=200')
  const entries: readonly Record<'gateway_id' | 'status', string>[] = body.data
  return new Map(entries.map(({ gateway_id: id, status }) => [id, status]))
}

it('many disputes that cannot be read keep no newer ones away', async () => {
  const ids: string[] = []
  while (ids.length < UNREADABLE + NEWER) ids.push(await openDispute())
  const [unreadable, newer] = [ids.slice(0, UNREADABLE), ids.slice(UNREADABLE)]
  const paths = new Set(unreadable.map((id) => `/v1/disputes/${id}`))
  const fail = () =>
    live.stripe.fault(({ path }) => (paths.has(path) ? { kind: 'wrong form' } : undefined))
  fail()
  await readNews(live)
  expect([...(await statuses()).keys()].toSorted()).toEqual(newer.toSorted())
  live.stripe.fault()
  await readNews(live)
  expect((await statuses()).size).toBe(ids.length)

  // They are open, and Stripe lists no event of their end.
  const { query } = live.service.world.db
  await query("UPDATE gateway_feed SET read_through = '2100-01-01', read_at = '2026-01-01'")
  for (const id of ids) live.stripe.closeDispute(id, 'lost')
  fail()
  await readNews(live)
  const lost = [...(await statuses())].flatMap(([id, status]) => (status === 'lost' ? [id] : []))
  expect(lost.toSorted()).toEqual(newer.toSorted())
  // The doctor tells that something is not read.
  const readAt = [{ read_at: new Date('2026-01-01') }]
  expect(await query('SELECT read_at FROM gateway_feed')).toEqual(readAt)
  live.stripe.fault()
  await query("UPDATE gateway_feed SET read_through = '2026-01-01'")
})

it('open disputes are read while Stripe lists no events', async () => {
  const id = await openDispute()
  await readNews(live)
  live.stripe.closeDispute(id, 'won')
  live.stripe.fault(({ path }) =>
    path.startsWith('/v1/events') ? { kind: 'cut', isExecuted: false } : undefined,
  )
  await readNews(live)
  expect((await statuses()).get(id)).toBe('won')
})
