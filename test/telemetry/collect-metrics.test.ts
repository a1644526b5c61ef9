// The answer to a scrape: it is refreshed once in a while, and leaves out values that cannot be
// read.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openMetrics } from '../../src/telemetry/metrics.ts'
import { METRICS_TYPE, metricsReader } from '../../src/upkeep/collect-metrics.ts'
import { DUE_KINDS, DUE_WORK } from '../../src/upkeep/due-by-kind.ts'
import type { World } from '../../src/world.ts'
import { samplesOf } from '../support/series.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let asked: string[]
/** A statement that contains this text fails. */
let broken: string | undefined

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
})
beforeEach(() => {
  asked = []
  broken = undefined
})
afterAll(() => service.close())

function watched(): World {
  const { world } = service
  const query: World['db']['query'] = (text, values) => {
    asked.push(text)
    const isBroken = broken !== undefined && text.includes(broken)
    return isBroken
      ? Promise.reject(new Error('the database is away'))
      : world.db.query(text, values)
  }
  const measure = async () => void (await query('SELECT clock_timestamp()'))
  const clock = { ...world.clock, measure }
  const db = { ...world.db, query, queryUntil: () => query }
  return { ...world, metrics: openMetrics('1.0.0'), clock, db }
}

async function namesOf(read: () => Promise<string>): Promise<readonly string[]> {
  const names = samplesOf(await read()).map(({ name }) => name)
  return [...new Set(names)].filter((name) => name.startsWith('lamplighter_'))
}

describe('GET /metrics', () => {
  it('needs no key, and is Prometheus text that is not cached', async () => {
    const { status, headers, text } = await call(service.app, 'GET', '/metrics', {})
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': METRICS_TYPE, 'cache-control': 'no-store' })
    expect(text).toMatch(/^lamplighter_build_info\{version="\d/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d/m)
  })

  it('reads the values once, however many scrapes come at once or repeatedly', async () => {
    const read = metricsReader(watched())
    await Promise.all([read(), read(), read()])
    await read()
    expect(asked.filter((text) => text === DUE_WORK).length).toBe(1)
    // As a control, another process reads them itself.
    await metricsReader(watched())()
    expect(asked.filter((text) => text === DUE_WORK).length).toBe(2)
  })

  it.each([
    ['parked', 'parked_at', ['lamplighter_parked_rows']],
    ['batches', 'FROM batch b', ['lamplighter_open_batch_lateness_seconds']],
    ['clock', 'clock_timestamp', ['lamplighter_clock_skew_seconds']],
  ])('leaves out %s if it cannot be read, and nothing else', async (part, text, names) => {
    const world = watched()
    const all = await namesOf(metricsReader(world))
    expect(all).toEqual(expect.arrayContaining(names))
    broken = text
    const read = metricsReader(world)
    expect(await namesOf(read)).toEqual(all.filter((name) => !names.includes(name)))
    const failures = samplesOf(await read()).filter(({ name }) => /collect_failures/.test(name))
    expect(failures.filter(({ value }) => value > 0)).toMatchObject([
      { labels: { part }, value: 1 },
    ])
  })

  it('ends a count that takes too long, in the database too', async () => {
    const { db } = service.world
    const slow = (query: World['db']['query']): World['db']['query'] => {
      return (text, values) =>
        text === DUE_WORK ? query('SELECT pg_sleep(60)') : query(text, values)
    }
    const queryUntil: World['db']['queryUntil'] = (signal) => slow(db.queryUntil(signal))
    const slowDb = { ...db, query: slow(db.query), queryUntil }
    const world = { ...service.world, db: slowDb, metrics: openMetrics('1.0.0') }
    const names = await namesOf(metricsReader(world))
    expect(names).toContain('lamplighter_parked_rows')
    const running = () =>
      db.query(`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'`)
    await expect.poll(running, { timeout: 10_000 }).toEqual([])
  })

  it.each([
    ['payments', 'payment_retry', ['email', 'sms', 'webhook']],
    ['deliveries', 'leased_until', DUE_KINDS.filter((kind) => !isDelivered(kind))],
  ])('shows the other due work if %s cannot be counted', async (_what, text, kinds) => {
    broken = text
    const due = samplesOf(await metricsReader(watched())()).filter(
      ({ name }) => name === 'lamplighter_due_rows',
    )
    expect(due.map(({ labels }) => labels.kind).sort()).toEqual([...kinds].sort())
  })
})

function isDelivered(kind: string): boolean {
  return ['email', 'sms', 'webhook'].includes(kind)
}
