// The console and the metrics are served on the port of the API under one spelling only, or on a
// port of their own and nowhere else.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { listenForOperators, type OperatorsPort } from '../../src/http/operators-port.ts'
import { BY_COMMAND } from '../../src/operators/audit-entries.ts'
import { makeSignInLink } from '../../src/operators/sign-in-link.ts'
import { signIn } from '../support/operator.ts'
import { converse, listen, statusesOf } from '../support/raw-connection.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const ODD = [
  '//metrics',
  '/metrics/',
  '/%6detrics',
  '/metric%73',
  '/x/../metrics',
  '/./metrics',
  '/metrics;x',
  '/metrics%2f',
  '//admin',
  '/%61dmin',
  '/%61%64%6d%69%6e/teams',
  '/%2fadmin',
  '/%5cadmin',
  '/\\admin',
  '/admin//teams',
  '//admin/sign-in',
  '/admin/..;/metrics',
  '/admin/../metrics',
  '/admin/.',
  '/admin/%2e%2e/metrics',
  '/admin%2fteams',
  '/admin;x/teams',
  '/%61dmin/queues',
  '//admin/queues/static/x.js',
]

const PLAIN = ['/metrics', '/admin', '/admin/', '/admin/teams', '/admin/sign-in', '/admin/queues']

let cookie = ''

async function ask(port: number, path: string, method = 'GET') {
  const head = [`${method} ${path} HTTP/1.1`, 'Host: x', `Cookie: ${cookie}`, 'Accept: text/html']
  const said = await converse(port, [...head, 'Connection: close', '', ''].join('\r\n'))
  return { status: statusesOf(said)[0], said }
}

/** Expects the answer of an unknown path. */
async function expectUnknown(port: number, path: string, method = 'GET'): Promise<void> {
  const { status, said } = await ask(port, path, method)
  expect([path, status]).toEqual([path, 404])
  expect(said).toContain('"error":"not_found"')
}

describe('on the port of the API', () => {
  let service: TestService
  let port: number

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    cookie = (await signIn(service.world)).cookie
    port = await listen(service.app)
  })
  afterAll(() => service.close())

  it.each(ODD)(
    '%s is unknown, though another parser could read it as one of their paths',
    async (path) => {
      await expectUnknown(port, path)
      await expectUnknown(port, `${path}?x=1`)
    },
  )

  it.each(PLAIN)('%s is there, as a control', async (path) => {
    expect((await ask(port, path)).status).toBe(200)
  })

  it.each(['//healthz', '/readyz/', '//self/', '/customer//'])(
    '%s stays the same path as without: it is of the API',
    async (path) => {
      // On a busy machine the service may not be ready for a moment.
      expect([200, 401, 503]).toContain((await ask(port, path)).status)
    },
  )
})

describe('on a port of their own', () => {
  let service: TestService
  let open: number
  let own: OperatorsPort

  beforeAll(async () => {
    service = await openTestService({ queues: [], settings: { ADMIN_PORT: '0' } })
    cookie = (await signIn(service.world)).cookie
    open = await listen(service.app)
    const opened = await listenForOperators(service.world, service.app)
    if (opened === undefined) throw new Error('there is no second port')
    own = opened
    service.world.listensOn(open, own.port)
  })
  afterAll(async () => {
    own.close()
    await service.close()
  })

  it.each([...PLAIN, ...ODD])('%s is unknown on the public port', async (path) => {
    await expectUnknown(open, path)
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])(
    'the method %s of their paths is unknown as well',
    async (method) => {
      for (const path of ['/metrics', '/admin', '/admin/sign-in', '/admin/queues']) {
        await expectUnknown(open, path, method)
      }
    },
  )

  it.each([...PLAIN, '/healthz', '/readyz'])('%s is served on their port', async (path) => {
    expect((await ask(own.port, path)).status).toBe(200)
  })

  it("the console's styles and scripts are served on their port", async () => {
    const { said } = await ask(own.port, '/admin')
    const [, asset = ''] = /(?:href|src)="(\/assets\/[^"]+)"/.exec(said) ?? []
    expect((await ask(own.port, asset)).status).toBe(200)
  })

  it.each(['/self', '/charge', '/docs', '/openapi.json', '/pay/x', ...ODD])(
    '%s is unknown there',
    async (path) => expectUnknown(own.port, path),
  )

  it.each(['/healthz', '/readyz', '/docs', '/openapi.json'])('%s stays public', async (path) => {
    expect((await ask(open, path)).status).toBe(200)
  })

  it('a connection with thousands of requests is closed there too', async () => {
    const said = await converse(own.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_500))
    expect(statusesOf(said).length).toBeLessThanOrEqual(32)
    expect((await ask(own.port, '/healthz')).status).toBe(200)
  })

  it('sign-in links lead to their port', async () => {
    const { url } = await makeSignInLink(service.world, BY_COMMAND)
    expect(new URL(url).port).toBe(String(own.port))
    expect((await ask(own.port, new URL(url).pathname)).status).toBe(200)
    expect(service.world.publicAddress()).toBe(`http://127.0.0.1:${open}`)
  })
})

describe('ADMIN_PORT', () => {
  it.each([
    [{ PORT: '3000', ADMIN_PORT: '3000' }, 'ADMIN_PORT: got 3000, want another port than PORT'],
    [{ ADMIN_PORT: '3000' }, 'ADMIN_PORT: got 3000, want another port than PORT'],
    [{ ADMIN_PORT: 'x' }, 'ADMIN_PORT: got'],
  ])('%j is refused', (env, words) => {
    expect(() => readConfig(env)).toThrow(words)
  })

  it('can be left to the system together with PORT', () => {
    expect(readConfig({ PORT: '0', ADMIN_PORT: '0' }).adminPort).toBe(0)
  })
})
