// What the service counts: each thing that happens moves exactly the series that stand for it.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { done } from '../../src/core/verdict.ts'
import { metricsReader } from '../../src/upkeep/collect-metrics.ts'
import { PARTS } from '../../src/upkeep/service-gauges.ts'
import { processorOf } from '../../workers/run.ts'
import { type DayEnd, openDayEnd } from '../support/day-end.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { countsOf, movedSince, samplesOf } from '../support/series.ts'
import { call } from '../support/test-service.ts'

const MINUTE = 60_000

/**
 * The sweep is left out, since it counts at any time, and so are the queues that a test works
 * itself.
 */
const QUEUES = ['charge', 'refund', 'doubt', 'settlement', 'email'] as const

/** The rounds of a channel come when they are prompted. */
const ROUNDS = /^job_(duration|wait)_seconds_count\{queue="(email|settlement)"/

let day: DayEnd
let before: Readonly<Record<string, number>>

beforeAll(async () => {
  day = await openDayEnd({ queues: QUEUES })
})
beforeEach(async () => {
  before = await countsOf(day.world.metrics)
})
afterAll(() => day.close())

async function moved() {
  const all = movedSince(before, await countsOf(day.world.metrics))
  return Object.fromEntries(Object.entries(all).filter(([name]) => !ROUNDS.test(name)))
}

/** A payment that one request asked for, and one question decided. */
const decided = (
  type: string,
  route: string,
  status: number,
  answer: 'approved' | 'declined',
  queue = 'charge',
) => ({
  [`http_request_duration_seconds_count{method="POST",route="${route}",status="${status}"}`]: 1,
  [`job_duration_seconds_count{queue="${queue}",result="done"}`]: 1,
  [`job_wait_seconds_count{queue="${queue}"}`]: 1,
  [`gateway_answer_duration_seconds_count{answer="${answer}",gateway="sandbox",question="carry_out"}`]: 1,
  [`payments_total{outcome="${answer}",type="${type}"}`]: 1,
  [`payment_duration_seconds_count{type="${type}"}`]: 1,
})

describe('the series that move', () => {
  it('with a charge that is approved', async () => {
    await day.charge({ total: 12.5 })
    await expect.poll(moved).toEqual(decided('charge', '/charge', 200, 'approved'))
  })

  it('with one that is declined', async () => {
    const card = await day.service.card(day.merchant, DECLINED_CARD)
    before = await countsOf(day.world.metrics)
    await day.charge({ payment_method_id: card })
    await expect.poll(moved).toEqual(decided('charge', '/charge', 400, 'declined'))
  })

  it('with a void', async () => {
    const id = await day.paid({ total: 3 })
    await expect.poll(moved).toMatchObject(decided('charge', '/charge', 200, 'approved'))
    before = await countsOf(day.world.metrics)
    await day.ask(id, 'void')
    const wanted = decided('void', '/transaction/:id/void', 200, 'approved', 'refund')
    await expect.poll(moved).toEqual(wanted)
  })

  it('with a gateway that did the work and whose answer was lost', async () => {
    day.plan = { fault: ({ operation }) => (operation === 'charge' ? 'silent after' : 'none') }
    await day.charge()
    const question = 'gateway="sandbox",question'
    await expect.poll(moved).toMatchObject({
      [`gateway_answer_duration_seconds_count{answer="silent",${question}="carry_out"}`]: 1,
      [`gateway_answer_duration_seconds_count{answer="approved",${question}="look_up"}`]: 1,
      'job_duration_seconds_count{queue="charge",result="snooze"}': 1,
      'job_duration_seconds_count{queue="doubt",result="done"}': 1,
      'payments_total{outcome="approved",type="charge"}': 1,
    })
    day.plan = { fault: () => 'none' }
  })

  it('with a receipt that goes out', async () => {
    const id = await day.paid({ total: 7 })
    await expect.poll(moved).toMatchObject(decided('charge', '/charge', 200, 'approved'))
    before = await countsOf(day.world.metrics)
    const path = `/transaction/${id}/receipt/email`
    const body = { ccEmails: ['ada@example.com'] }
    await call(day.service.app, 'POST', path, day.merchant.headers, body)
    const route = '/transaction/:id/receipt/email'
    await expect.poll(moved).toEqual({
      [`http_request_duration_seconds_count{method="POST",route="${route}",status="200"}`]: 1,
      'delivery_attempt_duration_seconds_count{answer="taken",channel="email"}': 1,
    })
  })

  it('with a job that fails, and is tried again', async () => {
    let tries = 0
    const action = async () => {
      tries += 1
      if (tries === 1) throw new Error('a fault of ours')
      return done
    }
    const { world, merchant } = day
    world.queues.work('clock', processorOf(world, 'clock', { action }))
    const { accountId } = merchant
    world.queues.nudge('clock', { accountId, id: accountId, requestId: 'test' })
    await expect.poll(moved).toEqual({
      'job_duration_seconds_count{queue="clock",result="failed"}': 1,
      'job_duration_seconds_count{queue="clock",result="done"}': 1,
      'job_wait_seconds_count{queue="clock"}': 1,
    })
  })

  it('with an unknown address, under one name for all of them', async () => {
    await call(day.service.app, 'GET', '/never/heard/of', {})
    await call(day.service.app, 'GET', '/nor/of/this', {})
    await call(day.service.app, 'GET', '/healthz', {})
    const unknown = 'method="GET",route="unknown",status="404"'
    await expect.poll(moved).toEqual({
      [`http_request_duration_seconds_count{${unknown}}`]: 2,
    })
  })

  it('with a batch that is closed late', async () => {
    const batch = await day.passCutoff()
    day.moveTo(new Date(batch.cutoffAt.getTime() + 10 * MINUTE))
    const read = metricsReader(day.world)
    const [open] = await samples(read, 'open_batch_lateness_seconds')
    expect(open?.value).toBeGreaterThanOrEqual(600)
    const { accountId, id } = batch
    day.world.queues.nudge('settlement', { accountId, id, requestId: 'test' })
    await expect.poll(moved).toEqual({ 'batch_close_lateness_seconds_count{}': 1 })
    const text = await day.world.metrics.registry.metrics()
    const sum = samplesOf(text).find(({ name }) => /batch_close_lateness_seconds_sum/.test(name))
    expect(sum?.value).toBeGreaterThanOrEqual(600)
  })
})

describe('the state of the service', () => {
  it('is answered in full on either store', async () => {
    const read = metricsReader(day.world)
    const kinds = (await samples(read, 'due_rows')).map(({ labels }) => labels.kind)
    expect(kinds).toContain('charge')
    expect((await samples(read, 'queue_jobs')).length).toBe(12 * 4)
    const pools = (await samples(read, 'pool_connections')).map(({ labels }) => labels.pool)
    expect([...new Set(pools)]).toEqual(
      day.service.backend === 'postgres' ? ['hot', 'other', 'queues'] : ['hot', 'other'],
    )
    const failures = await samples(read, 'collect_failures_total')
    expect(failures.length).toBe(PARTS.length)
    expect(failures.filter(({ value }) => value > 0)).toEqual([])
  })

  it('holds no secret, no id and no address', async () => {
    const text = await metricsReader(day.world)()
    const { key, accountId, teamId } = day.merchant
    // A figure may hold any digits; the words beside it must not.
    const said = text.replaceAll(/ [^ \n]+$/gm, '')
    for (const secret of [key, accountId, teamId, 'ada@example.com', '4111', '1881', '127.0.0.1']) {
      expect(said).not.toContain(secret)
    }
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
    const labels = new Set(samplesOf(text).flatMap(({ labels }) => Object.keys(labels)))
    const known = [
      'answer',
      'channel',
      'gateway',
      'kind',
      'le',
      'method',
      'outcome',
      'part',
      'pool',
    ]
    const ours = [
      ...known,
      'question',
      'queue',
      'result',
      'role',
      'route',
      'state',
      'status',
      'type',
    ]
    const ofNode = ['version', 'major', 'minor', 'patch', 'quantile', 'space']
    expect([...labels].filter((label) => ![...ours, ...ofNode].includes(label))).toEqual([])
  })
})

async function samples(read: () => Promise<string>, name: string) {
  const all = samplesOf(await read())
  return all.filter((sample) => sample.name === `lamplighter_${name}`)
}
