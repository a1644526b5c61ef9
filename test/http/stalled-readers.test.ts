// Callers that request a lot and read nothing: they cost bounded memory for a bounded time, and
// others are answered meanwhile. A slow reader still gets everything.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import { ExportPlaces } from '../../src/core/export-places.ts'
import { readingAtOnce } from '../../src/http/limit-reading.ts'
import { recordsOf } from '../support/csv.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { listen } from '../support/raw-connection.ts'
import { expectRefusal } from '../support/requests.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant } from '../support/test-service.ts'

const READERS = 60
const ACCOUNTS = 10

/** Rows of an account, each with the largest `meta`: far more than a system buffers. */
const ROWS = 600
const LARGEST = { note: '"'.repeat(8_100) }

const STALLED_MS = 6_000
const MIB = 1024 * 1024

/** The memory that sixty stalled readers may cost: a piece each, and the work of making it. */
const MOST_MIB = { heap: 60, rss: 300 }

/** The memory that may remain afterwards. */
const LEFT_MIB = 30

const LONG_TEST = { timeout: 120_000 }

const COPIES = `
  INSERT INTO transaction SELECT (copy).* FROM (
    SELECT jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
      'idempotency_id', NULL, 'created_at', t.created_at - n * interval '1 minute')) AS copy
    FROM transaction t, generate_series(1, $2::integer) AS n WHERE t.id = $1
  ) AS copies`

let api: PaymentsApi
let port: number
let merchants: readonly Merchant[]
/** The server's ends of all connections. */
const accepted: Socket[] = []

beforeAll(async () => {
  const timings = { stalledReaderMs: STALLED_MS }
  const settings = { CHARGE_WAIT_MS: '3s' }
  api = await openPaymentsApi({ queues: ['charge'], timings, settings })
  const { service } = api
  merchants = await Promise.all(Array.from({ length: ACCOUNTS }, () => service.merchant()))
  for (const merchant of merchants) {
    const payment_method_id = await service.card(merchant)
    const { body } = await service.charge(merchant, { total: 9, payment_method_id, meta: LARGEST })
    await service.world.db.query(COPIES, [body.id, ROWS])
  }
  port = await listen(service.app)
  service.app.server.on('connection', (socket) => accepted.push(socket))
}, 120_000)
afterAll(() => api.service.close())

/** The sockets of a test, which end with it. */
function socketsOf({ onTestFinished }: TestContext): Socket[] {
  const open: Socket[] = []
  onTestFinished(() => destroyAll(open))
  return open
}

function destroyAll(sockets: Socket[]): void {
  for (const socket of sockets.splice(0)) socket.destroy()
}

/** Sends a request, reads the head of the answer, and stops reading. */
async function stand(open: Socket[], merchant: Merchant, path: string): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  open.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${merchant.headers.authorization}`
  socket.write(`${head}\r\n\r\n`)
  await once(socket, 'readable')
  const said = String(socket.read(64))
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1])
}

const csv = (open: Socket[], merchant: Merchant) => stand(open, merchant, '/transaction?export=csv')

function memoryMiB() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss: rss / MIB, heap: (heapUsed + external) / MIB }
}

/** How long another caller waits meanwhile. */
async function healthMs(): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; n < 20; n += 1) {
    const startedMs = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
    await answer.text()
    times.push(performance.now() - startedMs)
  }
  return times.toSorted((one, other) => one - other)
}

it(
  'sixty stalled readers of files cost little memory, and delay no other caller',
  LONG_TEST,
  async (context) => {
    const open = socketsOf(context)
    expect(await csv(open, api.merchant)).toBe(200)
    const before = memoryMiB()
    const alone = await healthMs()
    const readers = Array.from({ length: READERS }, (_, n) => merchants[n % ACCOUNTS])
    const statuses = await Promise.all(
      readers.map((merchant) => csv(open, merchant ?? api.merchant)),
    )
    await delay(500)
    const during = memoryMiB()
    const times = await healthMs()
    expect(during.heap - before.heap).toBeLessThan(MOST_MIB.heap)
    expect(during.rss - before.rss).toBeLessThan(MOST_MIB.rss)
    // On a busy machine the limit follows its speed without the readers.
    expect(times[10]).toBeLessThan(Math.max(250, 10 * (alone[10] ?? 0)))
    const taken = statuses.filter((status) => status === 200).length
    expect(taken).toBeGreaterThan(ACCOUNTS)
    const refused = statuses.filter((status) => status === 503 || status === 429)
    expect(refused).toHaveLength(READERS - taken)
    const waiting = () =>
      accepted.filter((one) => one.bytesWritten > 65_536 && !one.destroyed).length
    await expect.poll(waiting).toBe(0)
    await expect.poll(() => csv(open, api.merchant)).toBe(200)
    // The buffers of the test's own sockets would count as well.
    destroyAll(open)
    destroyAll(accepted)
    const left = () => memoryMiB().heap - before.heap
    await expect.poll(left).toBeLessThan(LEFT_MIB)
  },
)

/** A page of them is far longer than what a system buffers. */
const LONG_EVENTS = `
  INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
  SELECT $1, gen_random_uuid(), 'update_transaction', 'long', n,
    json_build_object('note', repeat('x', 120000)), 'long', $2
  FROM generate_series(1, 200) AS n`

// The next ones wait for the same time limits, each with readers of its own.

it.concurrent('unread answers of one account are as few as its turns', LONG_TEST, async (test) => {
  const open = socketsOf(test)
  const { service } = api
  const [own, other] = [await service.merchant(), await service.merchant()]
  await service.world.db.query(LONG_EVENTS, [own.accountId, service.world.clock.now()])
  const turns = readingAtOnce(service.world.config.databaseConnections)
  const readers = Array.from({ length: turns + 5 }, () => stand(open, own, '/event?limit=200'))
  const events = (merchant: Merchant) => call(service.app, 'GET', '/event', merchant.headers)
  expect((await events(other)).status).toBe(200)
  const statuses = await Promise.all(readers)
  expect(statuses.filter((status) => status === 200)).toHaveLength(turns)
  expect(statuses.filter((status) => status === 503)).toHaveLength(5)
  destroyAll(open)
  // Those that were read, or cut off, have given their turns back.
  for (let n = 0; n <= turns; n += 1) expect((await events(own)).status).toBe(200)
})

it.concurrent('an account has four exports at once, as others have', LONG_TEST, async (test) => {
  const open = socketsOf(test)
  const [own = api.merchant, other = api.merchant] = merchants
  for (let n = 0; n < 4; n += 1) expect(await csv(open, own)).toBe(200)
  const { app } = api.service
  const refused = await call(app, 'GET', '/transaction?export=csv', own.headers)
  expectRefusal(refused, 429, 'too_many_exports')
  expect(Number(refused.headers['retry-after'])).toBe(STALLED_MS / 1_000)
  expect((await call(app, 'GET', '/batch?export=csv', own.headers)).status).toBe(429)
  expect((await call(app, 'GET', '/transaction', own.headers)).status).toBe(200)
  expect(await csv(open, other)).toBe(200)
  open[0]?.destroy()
  const again = async () => (await call(app, 'GET', '/batch?export=csv', own.headers)).status
  await test.expect.poll(again).toBe(200)
  // A finished file has released its place.
  for (let n = 0; n < 10; n += 1) expect(await again()).toBe(200)
})

it.concurrent('a slow but steady reader gets the whole file', LONG_TEST, async () => {
  const { headers } = merchants[1] ?? api.merchant
  const startedMs = performance.now()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const path = '/transaction?export=csv'
    request({ host: '127.0.0.1', port, path, headers }, resolve).on('error', reject).end()
  })
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MIB) await delay(500)
    if (bytes > MIB) bytes = 0
  }
  expect(performance.now() - startedMs).toBeGreaterThan(STALLED_MS)
  expect(answer.complete).toBe(true)
  const lines = recordsOf(Buffer.concat(chunks).toString())
  expect(new Set(lines.map(({ id }) => id)).size).toBe(ROWS + 1)
  expect(JSON.parse(lines[0]?.meta ?? '')).toEqual(LARGEST)
})

it.concurrent('a stalled reader of lists is cut off', LONG_TEST, async (test) => {
  const merchant = merchants[2] ?? api.merchant
  const socket = connect(port, '127.0.0.1')
  socketsOf(test).push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const head = 'GET /transaction?limit=200 HTTP/1.1\r\nHost: a\r\nAuthorization: '
  socket.pause().write(`${head}${merchant.headers.authorization}\r\n\r\n`.repeat(12))
  const connection = await soon(() => {
    const found = accepted.find(({ remotePort }) => remotePort === socket.localPort)
    expect(found?.bytesWritten).toBeGreaterThan(0)
    return found
  })
  expect(connection?.destroyed).toBe(false)
  await test.expect.poll(() => connection?.destroyed).toBe(true)
})

describe('places for exports', () => {
  it('are four for an account and 32 in all, each released once', () => {
    const places = new ExportPlaces()
    const taken = Array.from({ length: 32 }, (_, n) => places.take(`account ${n >> 2}`))
    expect(() => places.take('account 0')).toThrow(new Refusal('too_many_exports'))
    expect(() => places.take('another')).toThrow(new Refusal('unavailable'))
    for (let n = 0; n < 3; n += 1) taken[0]?.()
    places.take('another')
    expect(() => places.take('one more')).toThrow(new Refusal('unavailable'))
  })
})
