// An API server gets the signal to end while callers wait for their payments. The load balancer
// notices first; each waiting caller is answered, with the outcome if it comes in time.

import { request } from 'node:http'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../chaos/proxies.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const DRAIN_MS = 1_500
const GRACE_MS = 4_000

/** A busy machine adds this much to every wait. */
const LATE_MS = 5_000

const PATIENCE = { timeout: 45_000, interval: 20 }
const LONG_TEST = { timeout: 90_000 }
const LONG_HOOK_MS = 90_000

/** The gateway answers charges of these totals late, or never. */
const HELD = 111
const LOST = 222

let service: TestService
let merchant: Merchant
let card: string
const held = latch()
const lost = latch()

beforeAll(async () => {
  service = await openTestService({
    queues: ['charge'],
    timings: { gatewayTimeoutMs: 60_000, leaseMs: 90_000, paymentLeaseMs: 90_000 },
    withGateway: (gateway) => ({
      ...gateway,
      async carryOut(order, signal) {
        if (order.amount === BigInt(HELD * 100)) await held.opened
        if (order.amount === BigInt(LOST * 100)) await lost.opened
        return gateway.carryOut(order, signal)
      },
    }),
  })
  merchant = await service.merchant()
  card = await service.card(merchant)
}, LONG_HOOK_MS)
afterAll(() => {
  lost.open()
  return service.close()
})

function startApi(port: number): ServiceProcess {
  return startServiceProcess({
    name: 'api',
    role: 'api',
    environment: {
      DATABASE_URL: service.databaseUrl,
      ...(service.redis === undefined ? {} : { REDIS_URL: service.redis.url }),
      PORT: String(port),
      CHARGE_WAIT_MS: '5m',
      DRAIN_MS: String(DRAIN_MS),
      GRACE_MS: String(GRACE_MS),
      LOG_LEVEL: 'warn',
    },
  })
}

interface Said {
  readonly status: number
  readonly connection: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: as a client without types sees it
  readonly body: any
}

/** Uses a new connection that the client would keep open. */
function ask(port: number, method: string, path: string, body?: object): Promise<Said> {
  const headers = {
    ...merchant.headers,
    connection: 'keep-alive',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const asked = request({ port, method, path, headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      const { connection } = response.headers
      const text = Buffer.concat(chunks).toString()
      resolve({ status: response.statusCode ?? 0, connection, body: JSON.parse(text) })
    })
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function isTaken(count: number): Promise<void> {
  const sql = "SELECT FROM transaction WHERE status = 'PENDING' AND attempt = 1"
  await vi.waitUntil(async () => (await service.world.db.query(sql)).length === count, PATIENCE)
}

it('new callers are sent elsewhere, and waiting callers are answered', LONG_TEST, async () => {
  const port = await freePort()
  await using api = startApi(port)
  await api.ready
  const charge = (total: number) => ask(port, 'POST', '/charge', { total, payment_method_id: card })
  expect(await ask(port, 'GET', '/readyz')).toMatchObject({ status: 200, connection: 'keep-alive' })
  const inTime = charge(HELD)
  const late = charge(LOST)
  await isTaken(2)

  api.signal('SIGTERM')
  const ready = await vi.waitUntil(async () => {
    const said = await ask(port, 'GET', '/readyz')
    return said.status === 503 && said
  }, PATIENCE)
  expect(ready.body).toEqual({ status: 'not ready', reason: 'the process is ending' })
  // A client that does not know yet is served once more, and its connection is closed.
  expect(await charge(12.5)).toMatchObject({
    status: 200,
    connection: 'close',
    body: { status: 'SUCCESS' },
  })
  held.open()
  expect(await inTime).toMatchObject({ connection: 'close', body: { status: 'SUCCESS' } })
  const pending = await late
  expect(pending).toMatchObject({ connection: 'close', body: { status: 'PENDING' } })
  const end = await api.ended
  expect(end, api.log()).toMatchObject({ code: 0, signal: null })
  expect(end.tookMs).toBeGreaterThan(DRAIN_MS)
  expect(end.tookMs).toBeLessThan(DRAIN_MS + GRACE_MS + LATE_MS)
  await expect(charge(12.5)).rejects.toThrow('ECONNREFUSED')
})

function latch() {
  let open: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}
