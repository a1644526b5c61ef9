// Clients that go away: in the middle of a body, before and during an answer, with bytes that are
// not HTTP. The service treats none of it as its own error, and logs none.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { holdLock } from '../support/hold-lock.ts'
import { signIn } from '../support/operator.ts'
import { newLink } from '../support/pages.ts'
import { listen } from '../support/raw-connection.ts'
import { soon } from '../support/soon.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const lines: string[] = []
let service: TestService
let merchant: Merchant
let port: number
let cookie: string
let link: string

beforeAll(async () => {
  const log = { write: (line: string) => lines.push(line) }
  service = await openTestService({ queues: [], log, settings: { CHARGE_WAIT_MS: '20s' } })
  merchant = await service.merchant()
  cookie = (await signIn(service.world)).cookie
  link = await newLink(service, merchant)
  port = await listen(service.app)
})
afterAll(() => service.close())
beforeEach(() => lines.splice(0))

/** The log levels that stand for a problem. */
const LOUD = new Set(['warn', 'error', 'fatal'])

const JSON_TYPE = 'Content-Type: application/json'
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded'

const head = (line: string, ...headers: readonly string[]) =>
  [`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')

const key = () => `Authorization: Bearer ${merchant.key}`

const half = (path: string, ...headers: readonly string[]) =>
  `${head(`POST ${path}`, 'Content-Length: 1000', ...headers)}{"total": 1`

/** The bytes that a client sends before it goes away. */
const SAID: Readonly<Record<string, () => string>> = {
  'half a body without a key': () => half('/charge', JSON_TYPE),
  'half a body with a key': () => half('/charge', JSON_TYPE, key()),
  'half a body of no type': () => half('/charge', key()),
  'half a body to nowhere': () => half('/nowhere', JSON_TYPE),
  'half a body of a method that is refused': () => half('/metrics', JSON_TYPE),
  'half a chunk': () =>
    `${head('POST /charge', 'Transfer-Encoding: chunked', JSON_TYPE, key())}ff\r\n{"to`,
  'half a payment on a page': () => half(link, JSON_TYPE),
  'half a card': () => half('/sandbox-gateway/token', JSON_TYPE),
  'half a form of a page': () => half(`${link}/${'0'.repeat(32)}/receipt`, FORM_TYPE),
  'half a sign-in': () => half('/admin/sign-in', FORM_TYPE),
  'half a form of the console': () => half('/admin/sign-out', FORM_TYPE, `Cookie: ${cookie}`),
  'half an action on the board': () => half('/admin/queues/api/x', JSON_TYPE, `Cookie: ${cookie}`),
  'half a callback of a provider': () => half('/provider/twilio/status', FORM_TYPE),
  'half a head': () => 'POST /charge HTTP/1.1\r\nHost: x\r\nContent-Le',
  'no HTTP': () => 'hello\r\n\r\n',
  nothing: () => '',
  'a question, and no ear for the answer': () => head('GET /openapi.json'),
  'a question for a page': () => head('GET /docs/payments'),
  'many questions': () => head('GET /openapi.json').repeat(50),
}

const connections = promisify((done: (error: Error | null, count: number) => void) =>
  service.app.server.getConnections(done),
)

async function opened(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}) // The client resets it on purpose.
  await once(socket, 'connect')
  return socket
}

/** Waits until everything that the service had to do for its clients is over. */
async function expectQuiet(): Promise<void> {
  await soon(async () => expect(await connections()).toBe(0))
  // The answer comes after any earlier line of the log.
  const answer = await service.app.inject({
    method: 'GET',
    url: '/self',
    headers: merchant.headers,
  })
  expect(answer.statusCode).toBe(200)
  const loud = lines.map((line) => JSON.parse(line)).filter(({ level }) => LOUD.has(level))
  expect(loud).toEqual([])
}

describe.each(Object.keys(SAID))('after %s', (name) => {
  it('a client that resets the connection is no error', async () => {
    const socket = await opened()
    await new Promise((resolve) => socket.write(SAID[name]?.() ?? '', resolve))
    socket.resetAndDestroy()
    await expectQuiet()
  })

  it('a client that hangs up is no error', async () => {
    const socket = await opened()
    await new Promise((resolve) => socket.write(SAID[name]?.() ?? '', resolve))
    socket.destroy()
    await expectQuiet()
  })
})

describe('before the caller is known', () => {
  it.each(['GET /self', 'POST /charge', 'GET /transaction?export=csv'])(
    'a client of an unknown key that goes away from %s is no error',
    async (line) => {
      const sql = 'LOCK TABLE key_hash IN ACCESS EXCLUSIVE MODE'
      const keys = await holdLock(service.databaseUrl, sql)
      const socket = await opened()
      socket.write(head(line, `Authorization: Bearer sk_sandbox_${'x'.repeat(43)}`))
      await keys.untilWaiting(1)
      socket.resetAndDestroy()
      await soon(async () => expect(await connections()).toBe(0))
      await keys.release()
      await expectQuiet()
    },
  )
})

describe('in the middle of a search', () => {
  it.each([
    // The count and the page.
    ['GET /item', 'item', 2],
    ['GET /query/payment-links', 'payment_link', 2],
    // The days that are not closed come first.
    ['GET /batch', 'batch', 1],
  ])('a client of %s that goes away leaves no search behind', async (line, table, waiting) => {
    const rows = await holdLock(service.databaseUrl, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    const socket = await opened()
    socket.write(head(line, key()))
    await rows.untilWaiting(waiting)
    socket.resetAndDestroy()
    // They would wait for the row for five seconds.
    await rows.untilWaiting(0, { timeout: 4_000 })
    await rows.release()
    await expectQuiet()
  })
})

describe('in the middle of an answer', () => {
  it('a client that resets the connection is no error', async () => {
    const socket = await opened()
    // Megabytes, more than the buffers between the two hold.
    socket.write(head('GET /openapi.json').repeat(20))
    await once(socket, 'data')
    socket.resetAndDestroy()
    await expectQuiet()
  })

  it('a client that waits for a payment and goes away is no error', async () => {
    const payment_method_id = await service.card(merchant)
    const body = JSON.stringify({ total: 5, payment_method_id })
    const length = `Content-Length: ${body.length}`
    const socket = await opened()
    socket.write(`${head('POST /charge', length, JSON_TYPE, key())}${body}`)
    const made = 'SELECT 1 FROM transaction WHERE account_id = $1'
    await soon(async () =>
      expect(await service.world.db.query(made, [merchant.accountId])).toHaveLength(1),
    )
    socket.resetAndDestroy()
    await soon(async () => expect(await connections()).toBe(0))
    await expectQuiet()
  })
})
