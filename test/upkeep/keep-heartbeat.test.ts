// The heartbeat of a process: the console and the doctor read from it which processes live, and
// their work.

import { hostname } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../src/core/time-units.ts'
import { openMetrics, PAYMENT_BUCKETS } from '../../src/telemetry/metrics.ts'
import {
  type BeatingProcess,
  clearOld,
  type Heartbeat,
  keepHeartbeat,
  listProcesses,
  namesOfVanished,
} from '../../src/upkeep/keep-heartbeat.ts'
import type { World } from '../../src/world.ts'
import { insertHeartbeat, insertWork } from '../support/heartbeats.ts'
import { soon } from '../support/soon.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const HEARTBEAT_MS = 40
const NOON = '2026-05-01T12:00:00.000Z'

const WORKER: BeatingProcess = { role: 'worker', queues: ['charge', 'doubt'] }
const WAIT = { timeout: 10 * SECOND, interval: 10 }

let service: TestService
let begun: Heartbeat[] = []

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
})
afterEach(async () => {
  await Promise.all(begun.map((heartbeat) => heartbeat.close()))
  begun = []
  await service.world.db.query('DELETE FROM process_work')
  await service.world.db.query('DELETE FROM process_pulse')
})
afterAll(() => service.close())

/** A process beside the others: its own counters, the same database. */
function processOf(over: Partial<World> = {}): World {
  const timings = { ...service.world.timings, heartbeatEveryMs: HEARTBEAT_MS }
  return { ...service.world, metrics: openMetrics('1.2.3'), timings, ...over }
}

function begin(world: World, of: BeatingProcess = WORKER): Heartbeat {
  const heartbeat = keepHeartbeat(world, of)
  begun.push(heartbeat)
  return heartbeat
}

/** A clock that the test moves. */
const clockAt = (time: { at: Date }) => ({ ...service.world.clock, now: () => time.at })

/** The clock of a service in which this much time has passed. */
const later = (ms: number) => ({ now: () => new Date(Date.now() + ms) })

const work = (span = 'minute') =>
  service.world.db.query('SELECT * FROM process_work WHERE span = $1 ORDER BY at', [span])

describe('a process that lives', () => {
  it('is listed with its role, its queues, its version and its host', async () => {
    const world = processOf()
    begin(world)
    await soon(async () => {
      expect(await listProcesses(world)).toEqual([
        expect.objectContaining({
          role: 'worker',
          queues: ['charge', 'doubt'],
          pid: process.pid,
          host: expect.stringMatching(/./),
          version: expect.stringMatching(/^\d+\./),
          isDraining: false,
        }),
      ])
    })
  })

  it('stays listed as the same one', async () => {
    const world = processOf()
    begin(world)
    const [first] = await vi.waitUntil(async () => {
      const found = await listProcesses(world)
      return found.length > 0 ? found : undefined
    }, WAIT)
    await soon(async () => {
      const [again] = await listProcesses(world)
      expect(again?.id).toBe(first?.id)
      expect(again?.seenAt.getTime()).toBeGreaterThan(first?.seenAt.getTime() ?? 0)
    })
  })

  it('shows that it is about to end, and then is not listed any more', async () => {
    const world = processOf()
    const heartbeat = begin(world)
    await soon(async () => expect(await listProcesses(world)).toHaveLength(1))
    heartbeat.drain()
    await soon(async () => {
      expect(await listProcesses(world)).toEqual([expect.objectContaining({ isDraining: true })])
    })
    await heartbeat.close()
    expect(await listProcesses(world)).toEqual([])
  })

  it('is not listed once three of its heartbeats are missing', async () => {
    const world = processOf({ timings: { ...service.world.timings, heartbeatEveryMs: MINUTE } })
    begin(world)
    await soon(async () => expect(await listProcesses(world)).toHaveLength(1))
    const seenAfter = (ms: number) =>
      listProcesses({ ...world, clock: { ...world.clock, ...later(ms) } })
    expect(await seenAfter(2.9 * MINUTE)).toHaveLength(1)
    expect(await seenAfter(3 * MINUTE)).toHaveLength(0)
  })
})

describe('the work of a process', () => {
  it('is written as the totals of this minute', async () => {
    const world = processOf({ clock: clockAt({ at: new Date(NOON) }) })
    const { metrics } = world
    metrics.payments.inc({ type: 'charge', outcome: 'approved' }, 3)
    metrics.payments.inc({ type: 'pre_auth', outcome: 'declined' }, 2)
    metrics.payments.inc({ type: 'refund', outcome: 'approved' }, 7)
    metrics.paymentDurations.observe({ type: 'charge' }, 0.02)
    metrics.paymentDurations.observe({ type: 'charge' }, 0.02)
    metrics.paymentDurations.observe({ type: 'charge' }, 99_999)
    metrics.paymentDurations.observe({ type: 'refund' }, 0.02)
    metrics.requests.observe({ method: 'GET', route: '/charge', status: 200 }, 0.1)
    metrics.jobs.observe({ queue: 'charge', result: 'done' }, 0.25)
    metrics.jobs.observe({ queue: 'charge', result: 'failed' }, 0.5)
    metrics.jobWaits.observe({ queue: 'charge' }, 0.125)
    metrics.jobs.observe({ queue: 'email', result: 'done' }, 0.5)
    metrics.jobs.observe({ queue: 'sms', result: 'done' }, 0.5)
    metrics.deliveries.observe({ channel: 'email', answer: 'taken' }, 0.125)
    metrics.deliveries.observe({ channel: 'email', answer: 'refused' }, 0.25)
    begin(world)
    await soon(async () => expect(await work()).toHaveLength(1))
    const durations = [...PAYMENT_BUCKETS, Number.POSITIVE_INFINITY].map((bound) => {
      if (bound === 0.025) return 2
      return bound === Number.POSITIVE_INFINITY ? 1 : 0
    })
    expect(await work()).toEqual([
      expect.objectContaining({
        process: `${hostname()} · ${process.pid}`,
        at: new Date(NOON),
        requests: 1,
        approved: 3,
        declined: 2,
        durations,
        queues: {
          charge: { rows: 2, failed: 1, runSeconds: 0.75, jobs: 1, waitSeconds: 0.125 },
          // Attempts, since a job of a channel sends whatever is due.
          email: { rows: 2, failed: 1, runSeconds: 0.375, jobs: 0, waitSeconds: 0 },
        },
      }),
    ])

    metrics.payments.inc({ type: 'charge', outcome: 'approved' })
    await soon(async () => expect((await work())[0]?.approved).toBe(4))
    expect(await work()).toHaveLength(1)
  })

  it('has a row for each minute', async () => {
    const time = { at: new Date(NOON) }
    const world = processOf({ clock: clockAt(time) })
    const { metrics } = world
    metrics.payments.inc({ type: 'charge', outcome: 'approved' }, 3)
    metrics.jobs.observe({ queue: 'charge', result: 'done' }, 0.25)
    begin(world)
    await soon(async () => expect(await work()).toHaveLength(1))
    time.at = new Date(time.at.getTime() + MINUTE)
    metrics.payments.inc({ type: 'charge', outcome: 'approved' })
    await soon(async () => expect(await work()).toHaveLength(2))
    expect(await work()).toEqual([
      expect.objectContaining({ approved: 3 }),
      expect.objectContaining({ approved: 1, declined: 0, requests: 0, queues: {} }),
    ])
    // The row of the hour has both.
    expect(await work('hour')).toMatchObject([{ at: new Date(NOON), approved: 4 }])
  })

  it('has no row if nothing was done', async () => {
    const world = processOf()
    begin(world)
    const [first] = await vi.waitUntil(async () => {
      const found = await listProcesses(world)
      return found.length > 0 ? found : undefined
    }, WAIT)
    await soon(async () => {
      const [again] = await listProcesses(world)
      expect(again?.seenAt.getTime()).toBeGreaterThan((first?.seenAt.getTime() ?? 0) + HEARTBEAT_MS)
    })
    expect(await work()).toEqual([])
  })
})

describe('a heartbeat while the database is away', () => {
  /** It refuses while `isAway`, and counts the calls. */
  function fragile() {
    const state = { isAway: true, asked: 0 }
    const query: World['db']['query'] = async (text, values) => {
      state.asked += 1
      if (state.isAway) throw new Error('away')
      return service.world.db.query(text, values)
    }
    const time = { at: new Date(NOON) }
    const db = { ...service.world.db, query }
    return { state, time, world: processOf({ clock: clockAt(time), db }) }
  }

  it('throws nothing, goes on once it is back, and keeps work in its own minute', async () => {
    const { state, world, time } = fragile()
    world.metrics.payments.inc({ type: 'charge', outcome: 'approved' }, 500)
    begin(world)
    await soon(() => expect(state.asked).toBeGreaterThan(2))
    expect(await listProcesses({ ...world, db: service.world.db })).toEqual([])

    state.isAway = false
    time.at = new Date(time.at.getTime() + MINUTE)
    world.metrics.payments.inc({ type: 'charge', outcome: 'approved' }, 2)
    await soon(async () => {
      expect(await listProcesses(world)).toHaveLength(1)
      expect((await work()).map(({ approved }) => approved)).toEqual([500, 2])
    })
    expect(await work('hour')).toMatchObject([{ approved: 502 }])
  })

  it('loses nothing if it fails just as a minute begins', async () => {
    const { state, world, time } = fragile()
    state.isAway = false
    world.metrics.payments.inc({ type: 'charge', outcome: 'approved' }, 3)
    begin(world)
    await soon(async () => expect(await work()).toMatchObject([{ approved: 3 }]))

    state.isAway = true
    const { asked } = state
    time.at = new Date(time.at.getTime() + MINUTE)
    world.metrics.payments.inc({ type: 'charge', outcome: 'approved' }, 4)
    await soon(() => expect(state.asked).toBeGreaterThan(asked + 2))
    state.isAway = false
    await soon(async () => {
      expect(await work()).toMatchObject([{ approved: 3 }, { approved: 4 }])
    })
  })

  it('ends on request', async () => {
    const { world } = fragile()
    await begin(world).close()
  })

  it('delays no process that ends, though the database never answers', async () => {
    const query: World['db']['query'] = () => new Promise(() => {})
    const heartbeat = keepHeartbeat(processOf({ db: { ...service.world.db, query } }), WORKER)
    const before = performance.now()
    await heartbeat.close()
    expect(performance.now() - before).toBeLessThan(3 * SECOND)
  })
})

describe('a process of the same name as an earlier one that vanished', () => {
  it('ends for both, so that the name does not count as vanished', async () => {
    const world = processOf()
    const ended = begin(world)
    await soon(async () => expect(await listProcesses(world)).toHaveLength(1))
    const [{ host } = { host: '' }] = await listProcesses(world)
    await insertHeartbeat(world, { host, seenAt: new Date(NOON) })
    expect([...(await namesOfVanished(world))]).toEqual([`${host} · ${process.pid}`])
    await ended.close()
    expect([...(await namesOfVanished(world))]).toEqual([])
  })
})

describe('old rows', () => {
  it('are deleted: minutes after two hours, hours and processes after a day', async () => {
    const { db, newId } = service.world
    const now = new Date('2026-05-01T12:00:00Z')
    const ago = (ms: number) => new Date(now.getTime() - ms)
    for (const seenAt of [ago(26 * HOUR), ago(24 * HOUR)]) {
      await db.query(
        `INSERT INTO process_pulse (id, role, host, pid, version, queues, started_at, seen_at)
         VALUES ($1, 'api', 'h', 1, '1', '{}', $2, $2)`,
        [newId(), seenAt],
      )
    }
    const kept = [ago(119 * MINUTE), ago(24 * HOUR)] as const
    await insertWork(service.world, { at: ago(121 * MINUTE) })
    await insertWork(service.world, { at: kept[0] })
    await insertWork(service.world, { span: 'hour', at: ago(26 * HOUR) })
    await insertWork(service.world, { span: 'hour', at: kept[1] })
    await clearOld(service.world, now)
    expect(await db.query('SELECT seen_at FROM process_pulse')).toEqual([
      { seen_at: ago(24 * HOUR) },
    ])
    expect([await work(), await work('hour')]).toMatchObject([[{ at: kept[0] }], [{ at: kept[1] }]])
  })
})
