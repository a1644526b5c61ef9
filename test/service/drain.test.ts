// A worker gets the signal to end while it makes a payment. It takes nothing more, finishes what it
// can within its grace, and leaves the rest in the rows, where another worker finds it.

import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { JobProcessor } from '../../src/queue/engine.ts'
import { WORKERS } from '../../workers/index.ts'
import { processorOf } from '../../workers/run.ts'
import { audit } from '../chaos/audit.ts'
import { NO_FAULTS } from '../chaos/fault-rates.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** A busy machine adds this much to every wait. */
const LATE_MS = 5_000

const PATIENCE = { timeout: 45_000, interval: 20 }
const LONG_TEST = { timeout: 90_000 }

const ALWAYS_SLOW = { ...NO_FAULTS, slow: 1 }

/** A slow gateway is not yet silent, and a dead worker is noticed soon. */
const TIMINGS = { gatewayTimeoutMs: 4_000, leaseMs: 5_000, paymentLeaseMs: 5_000, jobLockMs: 3_000 }

let service: TestService
let merchant: Merchant
let card: string

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  merchant = await service.merchant()
  card = await service.card(merchant)
})
afterAll(() => service.close())
beforeEach(async () => {
  await service.world.db.query('TRUNCATE process_pulse')
})

function worker(graceMs: number, slowMs: number): ServiceProcess {
  return startServiceProcess({
    name: 'worker',
    role: 'worker',
    queues: ['charge', 'doubt', 'sweep'],
    timings: TIMINGS,
    slowMs,
    faultRates: ALWAYS_SLOW,
    environment: {
      DATABASE_URL: service.databaseUrl,
      ...(service.redis === undefined ? {} : { REDIS_URL: service.redis.url }),
      GRACE_MS: String(graceMs),
      LOG_LEVEL: 'info',
    },
  })
}

/** The gateway answers these at once. */
async function order(): Promise<string> {
  const prefer = { prefer: 'respond-async' }
  const { body } = await service.charge(merchant, { total: 12.5, payment_method_id: card }, prefer)
  expect(body.status).toBe('PENDING')
  return body.id
}

async function stateOf(id: string): Promise<{ status: string; attempt: number }> {
  const sql = 'SELECT status::text, attempt FROM transaction WHERE id = $1'
  const [row] = await service.world.db.query(sql, [id])
  return { status: String(row?.status), attempt: Number(row?.attempt) }
}

/** Resolves when a worker has taken the row. */
async function isInHands(id: string): Promise<void> {
  await vi.waitUntil(async () => (await stateOf(id)).attempt === 1, PATIENCE)
}

/** Resolves when a process logs that it is about to end. */
async function isDraining(): Promise<void> {
  const sql = 'SELECT FROM process_pulse WHERE is_draining'
  await vi.waitUntil(async () => (await service.world.db.query(sql)).length === 1, PATIENCE)
}

async function timesCarriedOut(id: string): Promise<number> {
  const sql = 'SELECT FROM sandbox_gateway_payment WHERE key LIKE $1'
  return (await service.world.db.query(sql, [`%${id}%`])).length
}

it('work in progress is finished, and nothing more is taken', LONG_TEST, async () => {
  await using ending = worker(30_000, 2_000)
  await ending.ready
  const taken = await order()
  await isInHands(taken)
  ending.signal('SIGTERM')
  await isDraining()
  const late = await order()
  expect(await ending.ended, ending.log()).toMatchObject({ code: 0, signal: null })
  expect(await stateOf(taken)).toEqual({ status: 'SUCCESS', attempt: 1 })
  expect(await stateOf(late)).toEqual({ status: 'PENDING', attempt: 0 })
  expect(await service.world.db.query('SELECT FROM process_pulse')).toEqual([])

  // As a control, the row is there for the next worker.
  await using next = worker(1_000, 0)
  await next.ready
  await vi.waitUntil(async () => (await stateOf(late)).status === 'SUCCESS', PATIENCE)
})

it(
  'a job that was on its way to the worker at the signal is left to another',
  LONG_TEST,
  async () => {
    await using own = await openTestService({ queues: [] })
    const whose = await own.merchant()
    const body = { total: 12.5, payment_method_id: await own.card(whose) }
    const { body: late } = await own.charge(whose, body, { prefer: 'respond-async' })
    await own.world.queues.drain(1_000)
    const items = [{ accountId: whose.accountId, id: late.id, requestId: 'r' }]
    const job = { data: { items } } as unknown as Parameters<JobProcessor>[0]
    await processorOf(own.world, 'charge', WORKERS.charge)(job)
    const sql = 'SELECT attempt, status::text FROM transaction WHERE id = $1'
    expect(await own.world.db.query(sql, [late.id])).toEqual([{ attempt: 0, status: 'PENDING' }])
  },
)

it('work that outlasts the grace is left to another worker, and made once', LONG_TEST, async () => {
  const graceMs = 1_000
  await using ending = worker(graceMs, 600_000)
  await ending.ready
  const taken = await order()
  await isInHands(taken)
  const end = await ending.end()
  expect(end, ending.log()).toMatchObject({ code: 0, signal: null })
  expect(end.tookMs).toBeGreaterThan(graceMs - 50)
  expect(end.tookMs).toBeLessThan(graceMs + LATE_MS)
  expect((await stateOf(taken)).status).toBe('PENDING')

  await using next = worker(1_000, 0)
  await next.ready
  await vi.waitUntil(async () => (await stateOf(taken)).status === 'SUCCESS', PATIENCE)
  expect(await timesCarriedOut(taken)).toBe(1)
  expect(await audit(service.databaseUrl, [])).toEqual([])
})

it('a second signal ends the worker at once', LONG_TEST, async () => {
  await using ending = worker(600_000, 600_000)
  await ending.ready
  await isInHands(await order())
  ending.signal('SIGTERM')
  await isDraining()
  ending.signal('SIGTERM')
  const { code, signal, tookMs } = await ending.ended
  expect({ code, signal }).toEqual({ code: 1, signal: null })
  expect(tookMs).toBeLessThan(LATE_MS)
})
