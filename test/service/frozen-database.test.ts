// A database that is frozen: connections to it stay open and new ones are taken, but nothing is
// ever answered on them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SECOND } from '../../src/core/time-units.ts'
import { openWorkerProbes, type WorkerProbes } from '../../src/http/worker-probes.ts'
import { buildProxies, type ProxyGroup, type ServerProxy } from '../chaos/proxies.ts'
import { type Further, openFurther } from '../support/further.ts'
import { expectRefusal } from '../support/requests.ts'
import { soon } from '../support/soon.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

const CHARGE_WAIT_MS = 5 * SECOND

/** An answer comes at most this long after the caller's wait. */
const LITTLE_MS = SECOND

/** Kubernetes gives a probe this long by default. */
const PROBE_MS = SECOND

const LONG_TEST = { timeout: 60_000 }

/** More than the pools of a process may open. */
const MORE_THAN_ALL = 20
const TOO_LATE = 'requests are answered 503: they took too long'
const NOT_STARTED = 'receipts and webhooks wait for the sweep: their jobs could not be started'

interface Timed extends Answer {
  readonly tookMs: number
}

interface Line {
  readonly level: string
  readonly msg: string
  readonly err?: object
}

let service: TestService
let merchant: Merchant
let card: string
let proxies: ProxyGroup
let proxy: ServerProxy
/** An API server that reaches the same database through a proxy of its own. */
let api: Further
let probes: WorkerProbes
/** The lines that this server has logged. */
let lines: Line[]

beforeAll(async () => {
  lines = []
  service = await openTestService({
    queues: [],
    settings: { CHARGE_WAIT_MS: String(CHARGE_WAIT_MS) },
  })
  merchant = await service.merchant()
  card = await service.card(merchant)
  const behind = new URL(service.databaseUrl)
  proxies = buildProxies()
  proxy = await proxies.proxy()
  await proxies.open(Number(behind.port))
  behind.port = String(proxy.port)
  const log = { write: (line: string) => void lines.push(JSON.parse(line)) }
  api = await openFurther({ ...service, databaseUrl: behind.href }, log)
  probes = await openWorkerProbes(api.world, 0)
}, LONG_TEST.timeout)

afterAll(async () => {
  proxy.heal()
  probes.close()
  await proxies.shut()
  await api[Symbol.asyncDispose]()
  await service.close()
}, LONG_TEST.timeout)

describe('while the database is frozen', () => {
  let answers: Readonly<Record<'waiting' | 'charge' | 'list' | 'customer', Timed>>
  let ready: Timed
  let workerReadyMs: number

  beforeAll(async () => {
    await asked('GET', '/customer') // The app gets ready at its first request.
    // A busy process has all its connections open, so a refused connection reveals nothing.
    await Promise.all(Array.from({ length: MORE_THAN_ALL }, () => api.world.db.probe()))
    const waiting = charge('waiting')
    await soon(async () => expect(await payments('waiting')).toBe(1), LONG_TEST)
    proxy.swallow()
    const others = Promise.all([
      charge('charge'),
      asked('GET', '/transaction'),
      asked('POST', '/customer', { firstname: 'Ada' }),
    ])
    ready = await asked('GET', '/readyz')
    const beganMs = performance.now()
    await fetch(`http://127.0.0.1:${probes.port}/readyz`)
    workerReadyMs = performance.now() - beganMs
    const [charged, list, customer] = await others
    answers = { waiting: await waiting, charge: charged, list, customer }
  }, LONG_TEST.timeout)

  it.each(['waiting', 'charge', 'list', 'customer'] as const)(
    'a caller (%s) gets an error, at the latest a little after the wait of a charge',
    (which) => {
      const { tookMs, ...answer } = answers[which]
      expectRefusal(answer, 503, 'unavailable')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(tookMs).toBeLessThan(CHARGE_WAIT_MS + LITTLE_MS)
    },
  )

  it('probes learn that a process is not ready within the second that they wait', () => {
    expect(ready).toMatchObject({ status: 503, body: { reason: 'the database is away' } })
    expect(ready.tookMs).toBeLessThan(PROBE_MS)
    expect(workerReadyMs).toBeLessThan(PROBE_MS)
  })

  it('the log has one line about it, however many requests met it', LONG_TEST, async () => {
    // An unused connection breaks or not, depending on how long it has been idle.
    const isOfSweep = ({ level, msg }: Line) =>
      level !== 'info' && !msg.startsWith('connection error')
    const messages = () => lines.filter(isOfSweep).map(({ msg }) => msg.replace(/ \(.*/, ''))
    // The last lines come when the statements time out.
    await expect.poll(messages).toContain(NOT_STARTED)
    expect(new Set(messages())).toEqual(new Set([TOO_LATE, NOT_STARTED]))
    const withError = lines.filter(({ err }) => err !== undefined).map(({ msg }) => msg)
    expect(withError).toEqual([...new Set(withError)])
  })

  it.each(['waiting', 'charge'])('the %s can be repeated with its key, and is one', async (key) => {
    const { status, body } = await call(
      service.app,
      'POST',
      '/charge',
      { ...headersOf(key), prefer: 'respond-async' },
      { total: 5, payment_method_id: card },
    )
    expect([status, body.status]).toEqual([202, 'PENDING'])
    expect(await payments(key)).toBe(1)
  })
})

function headersOf(key: string): Readonly<Record<string, string>> {
  return { ...merchant.headers, 'idempotency-key': key }
}

function charge(key: string): Promise<Timed> {
  return asked('POST', '/charge', { total: 5, payment_method_id: card }, headersOf(key))
}

async function asked(
  method: 'GET' | 'POST',
  url: string,
  body?: object,
  headers: Readonly<Record<string, string>> = merchant.headers,
): Promise<Timed> {
  const beganMs = performance.now()
  const answer = await call(api.app, method, url, headers, body)
  return { ...answer, tookMs: performance.now() - beganMs }
}

async function payments(key: string): Promise<number> {
  const [row] = await service.world.db.query(
    'SELECT count(*) AS count FROM transaction WHERE idempotency_id = $1',
    [key],
  )
  return Number(row?.count)
}
