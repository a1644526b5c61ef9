// Paths that no ordinary client writes, over a real socket, since tools tidy them up: each is
// unknown or malformed, and never an internal error.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../support/operator.ts'
import { converse, listen, statusesOf } from '../support/raw-connection.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant
let port: number
let cookie: string
const logged: string[] = []

beforeAll(async () => {
  service = await openTestService({
    queues: [],
    log: { write: (line: string) => logged.push(line) },
  })
  merchant = await service.merchant()
  port = await listen(service.app)
  cookie = (await signIn(service.world)).cookie
})
afterAll(() => service.close())

async function ask(path: string, accept = 'application/json') {
  const allowed = [`Authorization: Bearer ${merchant.key}`, `Cookie: ${cookie}`]
  const head = [`GET ${path} HTTP/1.1`, 'Host: x', ...allowed, `Accept: ${accept}`]
  const said = await converse(port, [...head, 'Connection: close', '', ''].join('\r\n'))
  return { status: statusesOf(said)[0] ?? 0, said }
}

/** Texts in place of a name. */
const ODD = [
  '..',
  '.',
  '%2e%2e',
  '..%2f..%2fpackage.json',
  '../../package.json',
  '%2e%2e/%2e%2e/package.json',
  '..%5c..%5cpackage.json',
  '%00',
  'a%00.css',
  '%',
  '%zz',
  '%c0%ae%c0%ae',
  '%ff',
  '%ed%a0%80',
  '%252e%252e',
  'x'.repeat(8_000),
  'service.0123456789.css%00.js',
]

const ID = '0'.repeat(32)

/** Places of a name: files, payers' pages, the console, the API. */
const PLACES = [
  '/assets/*',
  '/docs/*',
  '/admin/*',
  '/admin/queues/*',
  '/admin/queues/static/*',
  '/admin/teams/*',
  '/admin/transactions/*',
  '/pay/*',
  `/pay/${ID}/*`,
  '/pay/*/qr.svg',
  '/bill/*',
  `/bill/${ID}/*`,
  '/customer/*',
  '/transaction/*',
  '/query/payment-links/*',
  '/webhook/*/delivery',
  '/*',
]

describe.each(PLACES)('in the place of the star of %s', (place) => {
  it.each(ODD.map((odd) => [odd.slice(0, 40), odd]))(
    '%s causes no internal error',
    async (_, odd) => {
      for (const accept of ['application/json', 'text/html']) {
        const { status } = await ask(place.replace('*', odd), accept)
        expect(status, accept).toBeGreaterThanOrEqual(200)
        expect(status, accept).toBeLessThan(500)
      }
    },
  )
})

describe('a path that leaves its folder', () => {
  it.each([
    '/docs/..',
    '/docs/%2e%2e',
    '/docs/../../package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%00',
    '/admin/queues/static/..',
    '/admin/queues/static/%2e%2e/package.json',
    '/assets/..',
    '/assets/%00',
  ])('%s is refused', async (path) => {
    const { status, said } = await ask(path)
    expect([400, 404]).toContain(status)
    expect(said).not.toContain('dependencies')
  })
})

it('no line of the log is an error', async () => {
  const answers = logged.map((line) => JSON.parse(line))
  expect(answers.length).toBeGreaterThan(ODD.length)
  expect(answers.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([])
  expect((await call(service.app, 'GET', '/self', merchant.headers)).status).toBe(200)
})
