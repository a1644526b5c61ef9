// Every route of the console, as the server lists it: none answers without a session, none accepts
// a request that another site could have sent, and every answer has the rules for browsers.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COOKIE } from '../../src/console/cookies.ts'
import { BROWSER_RULES } from '../../src/web/browser-rules.ts'
import { type SignedIn, see, sendForm, signIn } from '../support/operator.ts'
import { consoleRoutesOf, type Route } from '../support/routes.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/** The routes without a session; signing out without one leads to the sign-in. */
const DOOR = ['GET /admin/sign-in', 'HEAD /admin/sign-in', 'POST /admin/sign-out']

/** They answer like all others without a password or a link. */
const LOCKS = ['POST /admin/sign-in', 'GET /admin/password', 'POST /admin/password']

let service: TestService
let ada: SignedIn
let routes: readonly Route[]

beforeAll(async () => {
  service = await openTestService({
    queues: [],
    settings: { ADMIN_PASSWORD: 'lamp oil and wicks' },
  })
  ada = await signIn(service.world)
  routes = await consoleRoutesOf(service.world)
}, 60_000)
afterAll(() => service.close())

describe('the routes of the console', () => {
  it('are found', () => {
    const names = routes.map(nameOf)
    for (const name of [...DOOR, ...LOCKS, 'GET /admin/audit', 'PUT /admin/queues/*']) {
      expect(names).toContain(name)
    }
    expect(routes.length).toBeGreaterThan(20)
  })

  it.each<[string, () => Promise<Readonly<Record<string, string>>>]>([
    ['nothing', async () => ({})],
    ['nothing, from a script', async () => ({ accept: 'application/json' })],
    ['a made-up cookie', async () => ({ cookie: `${COOKIE}=${'x'.repeat(43)}` })],
    ['an empty cookie', async () => ({ cookie: `${COOKIE}=` })],
    ['a secret under another name', async () => ({ cookie: ada.cookie.replace(COOKIE, 'sid') })],
    ['a secret as a key', async () => ({ authorization: `Bearer ${secretOf(ada)}` })],
    ['the key of a merchant', async () => ({ ...(await service.merchant('live')).headers })],
    ['a session that is over', async () => ({ cookie: (await endedSession()).cookie })],
    ['a session that was left in another browser', async () => ({ cookie: await leftSession() })],
  ])('refuse a request with %s, except for the sign-in', async (_what, credentials) => {
    const headers = await credentials()
    const open: string[] = []
    for (const route of routes) {
      const { statusCode, body } = await ask(route, { accept: 'text/html', ...headers })
      if (statusCode !== 401 || body.includes('Sign out')) open.push(nameOf(route))
    }
    expect(open.sort()).toEqual(DOOR)
  })

  it('accept a session', async () => {
    const closed: string[] = []
    for (const route of routes) {
      const { statusCode } = await ask(route, { cookie: ada.cookie })
      if (statusCode === 401 && !isLock(route)) closed.push(nameOf(route))
    }
    expect(closed).toEqual([])
  })

  it.each<[string, () => Promise<[SignedIn, Readonly<Record<string, string>>]>]>([
    ['without its token', async () => [{ ...ada, formToken: '' }, {}]],
    ["with another session's token", async () => [await withTokenOf(ada), {}]],
    ['from another site', async () => [ada, { 'sec-fetch-site': 'cross-site' }]],
    ['from a site beside ours', async () => [ada, { 'sec-fetch-site': 'same-site' }]],
    ['from another origin', async () => [ada, { 'sec-fetch-site': '', origin: 'http://x.test' }]],
    ['from nowhere', async () => [ada, { 'sec-fetch-site': '', origin: 'null' }]],
  ])('refuse a form %s', async (_what, make) => {
    const taken: string[] = []
    const [who, headers] = await make()
    for (const route of changes()) {
      const { statusCode } = await send(route, who, headers)
      if (statusCode !== 403) taken.push(nameOf(route))
    }
    expect(taken).toEqual([])
  })

  it('accept a form of the session itself', async () => {
    const refused: string[] = []
    for (const route of changes().filter(({ url }) => !isBoard(url))) {
      const { statusCode } = await send(route, await signIn(service.world))
      if ([401, 403].includes(statusCode)) refused.push(nameOf(route))
    }
    expect(refused).toEqual([])
  })

  /** A download changes nothing, and has an audit entry all the same. */
  const actions = () =>
    service.world.db.prisma.auditEntry.count({ where: { action: { not: 'list downloaded' } } })

  it('change nothing at a GET', async () => {
    const before = await actions()
    for (const route of routes.filter((one) => !isChange(one))) {
      await ask(route, { cookie: ada.cookie })
    }
    expect(await actions()).toBe(before)
  })
})

describe('every answer', () => {
  it('that refuses a script has the code of the API, and the title and the text of the page', async () => {
    const headers = { cookie: ada.cookie, accept: 'application/json' }
    const asked = [
      ask({ method: 'GET', url: '/admin/teams/x' }, headers),
      ask({ method: 'GET', url: '/admin/nothing' }, headers),
      ask(OUT, { ...headers, 'sec-fetch-site': 'cross-site' }, ''),
      ask({ method: 'GET', url: '/admin' }, { accept: 'application/json' }),
    ]
    const answers = (await Promise.all(asked)).map(({ body }) => JSON.parse(body))
    expect(answers.map(({ error }) => error)).toEqual([
      'not_found',
      'not_found',
      'forbidden',
      'unauthorized',
    ])
    for (const answer of answers) {
      const texts = { title: expect.any(String), message: expect.any(String) }
      expect(answer).toMatchObject({ ...texts, request_id: expect.any(String) })
    }
  })

  it.each<[string, () => Promise<readonly { headers: object }[]>]>([
    ['to an operator', () => answers({ cookie: ada.cookie, accept: 'text/html' })],
    ['to a stranger', () => answers({ accept: 'text/html' })],
    ["to a stranger's script", () => answers({ accept: 'application/json' })],
    ['that nothing is there', async () => [await see(service.app, '/admin/nothing', ada)]],
    ['that a form is not ours', async () => [await send(OUT, { ...ada, formToken: 'x' })]],
    [
      'that a body is no form',
      async () => [await ask(OUT, { 'content-type': 'text/xml' }, '<a/>')],
    ],
  ])('to %s has the rules for browsers, and is cached nowhere', async (_what, make) => {
    for (const { headers } of await make()) {
      const { 'content-security-policy': policy, ...rules } = BROWSER_RULES
      expect(headers).toMatchObject({ ...rules, 'cache-control': 'no-store' })
      const sent = String(Reflect.get(headers, 'content-security-policy'))
      const isOfBoard = sent.includes("base-uri 'self'")
      if (!isOfBoard) expect(sent).toBe(policy)
      expect(sent).toContain("script-src 'self';")
      expect(sent).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|\*|https?:/)
    }
  })
})

describe('another site', () => {
  it('cannot sign an operator out', async () => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'cross-site',
    }
    // Browsers send it from there without the cookie.
    const answer = await ask(OUT, headers, '')
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined])
  })
})

describe('a request without a session', () => {
  it('cannot learn which pages exist', async () => {
    const answers = new Set<string>()
    const paths = [
      '/admin',
      '/admin/audit',
      '/admin/nothing',
      `/admin/teams/${service.world.newId()}`,
    ]
    for (const path of [...paths, '/admin/queues', '/admin/queues/api/queues']) {
      for (const method of ['GET', 'POST', 'DELETE', 'PATCH'] as const) {
        const answer = await service.app.inject({ method, url: path })
        const { request_id: _, ...rest } = answer.json()
        answers.add(JSON.stringify([answer.statusCode, rest]))
      }
    }
    expect(answers.size).toBe(1)
  })

  it('is led back to its page after the sign-in', async () => {
    const { statusCode, body } = await see(service.app, '/admin/audit?operator=Ada', { cookie: '' })
    expect(statusCode).toBe(401)
    expect(body).toContain('name="next" value="/admin/audit?operator=Ada"')
  })
})

const OUT: Route = { method: 'POST', url: '/admin/sign-out' }

function nameOf({ method, url }: Route): string {
  return `${method} ${url}`
}

function isChange({ method }: Route): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

function isBoard(url: string): boolean {
  return url.startsWith('/admin/queues')
}

function changes(): readonly Route[] {
  return routes.filter((route) => isChange(route) && !isLock(route))
}

function isLock(route: Route): boolean {
  return LOCKS.includes(nameOf(route).replace('HEAD', 'GET'))
}

function pathOf({ url }: Route): string {
  return url.replace(/:\w+/g, () => service.world.newId()).replace('*', 'x')
}

function ask(route: Route, headers: Readonly<Record<string, string>>, payload?: string) {
  const method = route.method as 'GET'
  const body = payload === undefined ? {} : { payload }
  return service.app.inject({ method, url: pathOf(route), headers, ...body })
}

function send(route: Route, who: SignedIn, headers: Readonly<Record<string, string>> = {}) {
  const usual = {
    cookie: who.cookie,
    'content-type': 'application/x-www-form-urlencoded',
    'x-xsrf-token': who.formToken,
    'sec-fetch-site': 'same-origin',
  }
  const all = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== '')
  return ask(route, Object.fromEntries(all), `_form=${who.formToken}`)
}

function answers(headers: Readonly<Record<string, string>>) {
  return Promise.all(routes.map((route) => ask(route, headers)))
}

function secretOf({ cookie }: SignedIn): string {
  return cookie.slice(COOKIE.length + 1)
}

async function withTokenOf({ formToken }: SignedIn): Promise<SignedIn> {
  return { ...(await signIn(service.world, 'Eve')), formToken }
}

async function endedSession(): Promise<SignedIn> {
  const yesterday = new Date(Date.now() - 24 * 60 * 60_000)
  const then = { ...service.world, clock: { now: () => yesterday } }
  return signIn(then as typeof service.world)
}

async function leftSession(): Promise<string> {
  const session = await signIn(service.world)
  expect((await sendForm(service.app, '/admin/sign-out', session)).statusCode).toBe(303)
  return session.cookie
}
