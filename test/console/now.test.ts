// The first page of the console and its updates: the figures of a service whose activity is known.

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { MINUTE, SECOND } from '../../src/core/time-units.ts'
import { PAYMENT_BUCKETS } from '../../src/telemetry/metrics.ts'
import { insertDeliveries } from '../support/delivery-rows.ts'
import { insertWork } from '../support/heartbeats.ts'
import { type SignedIn, see, signIn } from '../support/operator.ts'
import { settableClock } from '../support/schedules.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const NOON = '2026-05-01T12:00:00.000Z'

const clock = settableClock(NOON)
let service: TestService
let merchant: Merchant
let ada: SignedIn
let passedMs = 0

beforeAll(async () => {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs)
  service = await openTestService({
    queues: [],
    backend: 'postgres',
    clock,
    timings: { heartbeatEveryMs: 2 * SECOND },
  })
  merchant = await service.merchant()
  ada = await signIn(service.world)
}, 60_000)
afterEach(async () => {
  await service.world.db.query('DELETE FROM process_work')
  await service.world.db.query('DELETE FROM process_pulse')
  pass(MINUTE)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await service.close()
})

/** Figures that were read less than a second ago are cached, and would come again. */
function pass(ms: number): void {
  passedMs += ms
  clock.at = new Date(clock.at.getTime() + ms)
}

const ago = (ms: number) => new Date(clock.at.getTime() - ms)

/** Another process has decided this many charges in the minute of this instant. */
async function decided(when: Date, approved: number, declined: number): Promise<void> {
  const durations = [...PAYMENT_BUCKETS.map((bound) => (bound === 0.05 ? approved : 0)), 0]
  const at = new Date(Math.floor(when.getTime() / MINUTE) * MINUTE)
  const requests = approved + declined
  await insertWork(service.world, { at, requests, approved, declined, durations })
}

async function insertProcess(
  role: string,
  queues: readonly string[],
  seenAt = ago(0),
): Promise<void> {
  await service.world.db.query(
    `INSERT INTO process_pulse (id, role, host, pid, version, queues, started_at, seen_at)
     VALUES ($1, $2, 'a-host', 17, '9.9.9', $3, $4, $5)`,
    [service.world.newId(), role, queues, ago(125 * SECOND), seenAt],
  )
}

async function moved() {
  const answer = await service.app.inject({
    url: '/admin/now.json',
    headers: { cookie: ada.cookie, accept: 'application/json' },
  })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

async function textOf(name: string): Promise<string> {
  return (await moved()).shown[name].text
}

describe('the figures of the service', () => {
  it('add up all processes over the last minute, and over the last hour', async () => {
    await decided(ago(MINUTE), 600, 0)
    await decided(ago(MINUTE), 480, 120)
    const now = await moved()
    expect(now.shown['tile.charges'].text).toBe('1,200')
    expect(now.shown['tile.success'].text).toBe('90.0 %')
    expect(now.shown['tile.p50'].text).toBe('38 ms')
    expect(now.shown['chart.charges'].text).toBe('1,080 approved and 120 declined in the last hour')
    expect(now.approved.at(-1)).toBeCloseTo(1_080, 6)
    expect(now.declined.at(-1)).toBeCloseTo(120, 6)
    expect(now.at).toHaveLength(now.approved.length)
  })

  it('are unknown, and not zero, if nothing was decided', async () => {
    const { shown, success, p50 } = await moved()
    expect(shown['tile.charges'].text).toBe('0')
    expect(shown['tile.success'].text).toBe('–')
    expect(shown['tile.p99'].text).toBe('–')
    expect(new Set([...success, ...p50])).toEqual(new Set([null]))
  })

  it('show the living processes: dead ones are left out, and an ending one takes no jobs', async () => {
    await insertProcess('start', ['charge', 'refund'])
    await insertProcess('worker', ['charge'])
    await insertProcess('worker', ['charge'], ago(7 * SECOND))
    await insertProcess('api', [])
    await service.world.db.query(
      `UPDATE process_pulse SET is_draining = true WHERE role = 'worker' AND seen_at = $1`,
      [ago(0)],
    )
    const { shown, processes } = await moved()
    expect(shown['tile.workers'].text).toBe('1')
    expect(shown['tile.workers.note'].text).toBe('taking jobs; 1 ending')
    expect(shown['tile.apis'].text).toBe('2')
    expect(processes).toEqual([
      ['api', 'alive', 'a-host · 17', 'none', '9.9.9', '2 min'],
      ['start', 'alive', 'a-host · 17', 'charge, refund', '9.9.9', '2 min'],
      ['worker', 'ending', 'a-host · 17', 'charge', '9.9.9', '2 min'],
    ])
  })

  it('show a process whose clock is wrong, and that it takes no jobs', async () => {
    await insertProcess('worker', ['charge'])
    await service.world.db.query('UPDATE process_pulse SET clock_skew_ms = -7200000')
    await insertProcess('worker', ['charge'])
    const { shown, processes } = await moved()
    expect(shown['tile.workers'].text).toBe('1')
    expect(processes.map(([, state]: readonly string[]) => state).sort()).toEqual([
      'alive',
      "clock 2 hours behind the database's",
    ])
  })

  it('say that a queue is paused', async () => {
    const queue = service.world.queues.queue('refund')
    await queue.pause()
    expect(await textOf('tile.workers.note')).toBe('taking jobs, but refund paused')
    await queue.resume()
    pass(MINUTE)
    expect(await textOf('tile.workers.note')).toBe('taking jobs')
  })

  it('warn if no worker runs', async () => {
    const { shown } = await moved()
    expect(shown['tile.workers']).toEqual({ text: '0', tone: 'bad' })
  })

  it('show the backlog, its age, its oldest item, and all payments in doubt', async () => {
    const body = { total: 5, payment_method_id: await service.card(merchant) }
    const headers = { ...merchant.headers, prefer: 'respond-async' }
    for (let i = 0; i < 2; i += 1) await call(service.app, 'POST', '/charge', headers, body)
    await service.world.db.query('UPDATE transaction SET due_at = $1', [ago(3 * MINUTE)])
    const { shown } = await moved()
    expect(shown['due.charge.count'].text).toBe('2')
    expect(shown['due.charge.oldest']).toEqual({ text: '3 min', tone: 'bad' })
    expect(shown['tile.overdue']).toEqual({ text: '3 min', tone: 'bad' })
    expect(shown['tile.overdue.note'].text).toBe('charge')
    expect(shown['due.webhook.count']).toEqual({ text: '0', tone: 'none' })
    // No worker runs in this service.
    expect(shown['queue.charge.waiting'].text).not.toBe('0')
    expect((await moved()).depths.at(-1)[1]).toBeGreaterThan(0)

    await service.world.db.query(
      `UPDATE transaction SET parked_at = $1, due_at = NULL WHERE id IN
         (SELECT id FROM transaction LIMIT 1)`,
      [ago(0)],
    )
    pass(MINUTE)
    const after = (await moved()).shown
    expect(after['tile.parked']).toEqual({ text: '1', tone: 'bad' })
    expect(after['tile.parked.note'].text).toBe('1 payment')
    expect(shown['due.doubt.note'].text).toBe('')
    const later = `UPDATE transaction SET owed = 'doubt', due_at = $1
      WHERE id = (SELECT id FROM transaction WHERE due_at IS NOT NULL ORDER BY id LIMIT 1)`
    await service.world.db.query(later, [ago(-2 * MINUTE)])
    pass(MINUTE)
    const next = (await moved()).shown
    expect(next['due.doubt.note'].text).toBe('1 in doubt in all')
    expect(next['due.doubt.count'].text).toBe('0')
  })

  it('show the settings that keep messages from being sent, without calling it a fault', async () => {
    const { accountId } = merchant
    await insertDeliveries(service, accountId, 3, { status: 'pending', at: ago(90 * SECOND) })
    const { shown } = await moved()
    expect(shown['due.email.oldest']).toEqual({ text: '90 s', tone: 'wait' })
    expect(shown['due.email.note'].text).toBe('at most 10 a second')
    expect(shown['due.webhook.note'].text).toBe('')
    await service.world.db.query('DELETE FROM delivery')
  })

  it('show that a queue is paused', async () => {
    const queue = service.world.queues.queue('webhook')
    await queue.pause()
    expect(await textOf('queue.webhook.paused')).toBe('paused')
    expect(await textOf('queue.email.paused')).toBe('')
    await queue.resume()
  })

  it('are read once a second at most, however many pages ask', async () => {
    await decided(ago(0), 7, 0)
    expect(await textOf('chart.charges')).toMatch(/^7 approved/)
    await decided(ago(1), 7, 0)
    expect(await textOf('chart.charges')).toMatch(/^7 approved/)
    // Longer if reading them took long.
    pass(MINUTE)
    expect(await textOf('chart.charges')).toMatch(/^14 approved/)
  })
})

describe('the page', () => {
  it('holds the first figures itself, for a browser without scripts', async () => {
    await insertProcess('worker', ['charge'])
    await decided(ago(60 * SECOND), 1_234, 5)
    const { statusCode, body } = await see(service.app, '/admin', ada)
    expect(statusCode).toBe(200)
    expect(body).toContain('1,234 approved and 5 declined in the last hour')
    expect(body).toContain('a-host · 17')
    for (const chart of ['charges', 'success', 'latency', 'depth']) {
      expect(body).toMatch(new RegExp(`data-chart="${chart}" role="img" aria-label="[^"]+"`))
    }
  })

  it('links figures to the lists behind them', async () => {
    const { body } = await see(service.app, '/admin', ada)
    for (const path of [
      '/admin/transactions?status=PENDING',
      '/admin/schedules?state=overdue',
      '#backlog',
      '#processes',
    ]) {
      expect(body).toContain(`href="${path}"`)
    }
  })

  it('has a place for each figure that moves', async () => {
    const { body } = await see(service.app, '/admin', ada)
    const { shown } = await moved()
    for (const name of Object.keys(shown)) expect(body).toContain(`data-now="${name}"`)
  })

  it('and its figures are for operators only', async () => {
    const stranger = await service.app.inject({ url: '/admin/now.json' })
    expect(stranger.statusCode).toBe(401)
    expect(stranger.body).not.toContain('shown')
    const merchants = await service.app.inject({
      url: '/admin/now.json',
      headers: merchant.headers,
    })
    expect(merchants.statusCode).toBe(401)
  })
})
