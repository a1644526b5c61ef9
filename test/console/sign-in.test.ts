// Signing in: by which means, for how long, and where it leads.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COOKIE } from '../../src/console/cookies.ts'
import { BY_COMMAND } from '../../src/operators/audit-entries.ts'
import { SESSION_MS } from '../../src/operators/session.ts'
import { LINK_MS, makeSignInLink } from '../../src/operators/sign-in-link.ts'
import { defaultTimings } from '../../src/timings.ts'
import { forgetOld } from '../../src/upkeep/forget-old.ts'
import type { World } from '../../src/world.ts'
import { lastAuditEntry, see, sendForm, signIn } from '../support/operator.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const PASSWORD = 'lamp oil and wicks'
const PROXY = '198.51.100.1'
const { signInsAMinute, strangerSignInsAMinute } = defaultTimings

let service: TestService
let world: World
const log: string[] = []

/** The service's clock is ahead of ours by this much. */
let aheadMs = 0

beforeAll(async () => {
  service = await openTestService({
    queues: [],
    settings: { ADMIN_PASSWORD: PASSWORD, TRUST_PROXY: PROXY },
    timings: { signInsAMinute },
    clock: { now: () => new Date(Date.now() + aheadMs) },
    log: { write: (line) => void log.push(line) },
  })
  world = service.world
})
afterAll(() => service.close())

describe('the password', () => {
  it('lets an operator in, under the typed name', async () => {
    const { statusCode, headers } = await knock({ password: PASSWORD, name: ' Ada ' })
    expect([statusCode, headers.location]).toEqual([303, '/admin'])
    const page = await see(service.app, '/admin/audit', { cookie: cookieOf(headers) })
    expect([page.statusCode, page.body.includes('>Ada</a>')]).toEqual([200, true])
    expect(await lastAuditEntry(world)).toMatchObject({
      operator: 'Ada',
      action: 'signed in',
      detail: { by: 'password' },
    })
  })

  it.each([
    ['another one', { password: 'lamp oil' }],
    ['one that is longer', { password: `${PASSWORD} ` }],
    ['one in capitals', { password: PASSWORD.toUpperCase() }],
    ['none', {}],
    ['an empty one', { password: '' }],
    ['it as a name', { name: PASSWORD }],
    ['a made-up link', { once: 'x'.repeat(43) }],
    ['an empty link', { once: '' }],
    ['it beside a made-up link', { once: 'x', password: PASSWORD }],
  ])(
    'is not %s: the answer, the log and the audit say so, without the typed text',
    async (_what, form) => {
      log.length = 0
      const { statusCode, headers, body } = await knock(form)
      expect([statusCode, headers['set-cookie']]).toEqual([401, undefined])
      expect(body).toContain('role="alert"')
      const by = 'once' in form ? 'link' : 'password'
      const lines = log.filter((line) => line.includes('sign-in refused'))
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ by, level: 'warn' }])
      const entry = await lastAuditEntry(world)
      expect(entry).toMatchObject({
        operator: 'stranger',
        action: 'sign-in refused',
        detail: { by },
      })
      for (const typed of Object.values(form).filter((text) => text.length > 3)) {
        expect(JSON.stringify([entry, log])).not.toContain(typed)
      }
    },
  )

  it('is not accepted in a form that another site sends', async () => {
    const other = { 'sec-fetch-site': 'cross-site' }
    expect((await knock({ password: PASSWORD }, { headers: other })).statusCode).toBe(403)
  })

  it('does not exist if none is set, however it is left out', async () => {
    await using open = await openTestService({ queues: [] })
    for (const form of [{}, { password: '' }, { password: 'undefined' }]) {
      expect((await knock(form, { of: open })).statusCode).toBe(401)
    }
  })
})

describe('the cookie', () => {
  it('is for the console alone, and not for scripts', async () => {
    const { headers } = await knock({ password: PASSWORD })
    const [, ...flags] = String(headers['set-cookie']).split('; ')
    const seconds = SESSION_MS / 1_000
    expect(flags.sort()).toEqual(['HttpOnly', `Max-Age=${seconds}`, 'Path=/admin', 'SameSite=Lax'])
  })

  it.each([
    ['never goes in the clear where https ends at a proxy', PROXY, true],
    ['does where only the asker speaks of https', '203.0.113.7', false],
  ])('%s', async (_what, address, isSecure) => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': nextAddress() }
    const answer = await knock({ password: PASSWORD }, { address, headers })
    expect(String(answer.headers['set-cookie']).includes('Secure')).toBe(isSecure)
  })

  it('is sent over https only if PUBLIC_URL is https, whatever the proxy claims', async () => {
    await using open = await openTestService({
      queues: [],
      settings: { ADMIN_PASSWORD: PASSWORD, PUBLIC_URL: 'https://pay.example.com' },
    })
    const { headers } = await knock({ password: PASSWORD }, { of: open })
    const [pair = '', ...flags] = String(headers['set-cookie']).split('; ')
    expect(pair).toMatch(/^__Host-lamplighter_session=/)
    expect(flags).toEqual(expect.arrayContaining(['Secure', 'HttpOnly', 'Path=/', 'SameSite=Lax']))
    const cookie = cookieOf(headers)
    expect((await see(open.app, '/admin/audit', { cookie })).statusCode).toBe(200)
    const planted = { cookie: cookie.replace('__Host-', '') }
    expect((await see(open.app, '/admin/audit', planted)).statusCode).toBe(401)
    const board = await see(open.app, '/admin/queues', { cookie })
    expect([board.statusCode, String(board.headers['set-cookie'])]).toEqual([
      200,
      expect.stringMatching(/^XSRF-TOKEN=.*; Secure$/),
    ])
  })

  it('is new each time, and ends the session of the one before', async () => {
    const former = await signIn(world)
    const { headers } = await knock({ password: PASSWORD }, { headers: { cookie: former.cookie } })
    expect(cookieOf(headers)).not.toBe(former.cookie)
    expect((await see(service.app, '/admin/audit', former)).statusCode).toBe(401)
    const planted = { cookie: `${COOKIE}=${'x'.repeat(43)}` }
    await knock({ password: PASSWORD }, { headers: planted })
    expect((await see(service.app, '/admin/audit', planted)).statusCode).toBe(401)
  })

  it('is stored nowhere', async () => {
    const { headers } = await knock({ password: PASSWORD })
    const secret = cookieOf(headers).slice(COOKIE.length + 1)
    const rows = await world.db.query(
      "SELECT row_to_json(s)::text || encode(s.hash, 'escape') AS text FROM operator_session s",
    )
    const kept = JSON.stringify([rows, log, await world.db.prisma.auditEntry.findMany()])
    expect(rows.length).toBeGreaterThan(0)
    expect(kept).not.toContain(secret)
    expect(kept).not.toContain(Buffer.from(secret).toString('hex'))
  })
})

describe('a session', () => {
  it('that fails because the audit log is away can be used again', async () => {
    const { once } = await link()
    const sessions = await world.db.prisma.operatorSession.count()
    await world.db.query('ALTER TABLE deed RENAME TO deed_away')
    try {
      expect((await knock({ once })).statusCode).toBe(500)
    } finally {
      await world.db.query('ALTER TABLE deed_away RENAME TO deed')
    }
    expect(await world.db.prisma.operatorSession.count()).toBe(sessions)
    expect((await knock({ once })).statusCode).toBe(303)
  })

  it('ends after its own time', async () => {
    const session = await signIn(world)
    const status = async () => (await see(service.app, '/admin/audit', session)).statusCode
    await later(SESSION_MS - 60_000, async () => expect(await status()).toBe(200))
    await later(SESSION_MS, async () => expect(await status()).toBe(401))
    await later(SESSION_MS, () => forgetOld(world))
    expect(await status()).toBe(401)
    expect(await world.db.prisma.operatorSession.count()).toBe(0)
  })

  it('ends when its operator signs out, and no other session does', async () => {
    const [one, other] = [await signIn(world, 'Ada'), await signIn(world, 'Ada')]
    const { statusCode, headers } = await sendForm(service.app, '/admin/sign-out', one)
    expect([statusCode, headers.location]).toEqual([303, '/admin/sign-in'])
    expect(String(headers['set-cookie'])).toContain(`${COOKIE}=; `)
    expect((await see(service.app, '/admin/audit', one)).statusCode).toBe(401)
    expect((await see(service.app, '/admin/audit', other)).statusCode).toBe(200)
    expect(await lastAuditEntry(world)).toMatchObject({ operator: 'Ada', action: 'signed out' })
  })

  it('is not ended by another site', async () => {
    const session = await signIn(world)
    await sendForm(service.app, '/admin/sign-out', { ...session, formToken: '' })
    expect((await see(service.app, '/admin/audit', session)).statusCode).toBe(200)
  })
})

describe('a link', () => {
  it('is not used up by opening it', async () => {
    const { path, once } = await link()
    for (const method of ['GET', 'HEAD', 'GET', 'OPTIONS'] as const) {
      const { headers } = await service.app.inject({ method, url: path })
      expect(headers['set-cookie']).toBe(undefined)
    }
    expect((await see(service.app, path, { cookie: '' })).body).toContain(`value="${once}"`)
    expect((await knock({ once, name: 'Bob' })).statusCode).toBe(303)
    expect(await lastAuditEntry(world)).toMatchObject({ operator: 'Bob', detail: { by: 'link' } })
  })

  it('lets in one of twenty simultaneous requests, and none later', async () => {
    const { once } = await link()
    const answers = await Promise.all(Array.from({ length: 20 }, () => knock({ once })))
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([303, ...Array(19).fill(401)])
    expect((await knock({ once })).statusCode).toBe(401)
  })

  it('ends after its own time', async () => {
    const [early, late] = [await link(), await link()]
    await later(LINK_MS - 60_000, async () =>
      expect((await knock({ once: early.once })).statusCode).toBe(303),
    )
    await later(LINK_MS, async () =>
      expect((await knock({ once: late.once })).statusCode).toBe(401),
    )
    await later(LINK_MS, () => forgetOld(world))
    expect(await world.db.prisma.signInLink.count()).toBe(0)
  })

  it('is stored nowhere, and its maker is', async () => {
    const { once } = await link()
    expect(await lastAuditEntry(world)).toMatchObject({
      operator: 'command line',
      action: 'sign-in link made',
    })
    const rows = await world.db.prisma.signInLink.findMany()
    const kept = JSON.stringify([rows.map(({ hash }) => Buffer.from(hash).toString()), log])
    expect(kept).not.toContain(once)
  })
})

describe('a signed-in operator', () => {
  it.each([
    [undefined, '/admin'],
    ['', '/admin'],
    ['/admin/audit?operator=Ada&x=%2F', '/admin/audit?operator=Ada&x=%2F'],
    ['/admin?x', '/admin?x'],
    ['/admin/sign-in?once=x', '/admin'],
    ['https://evil.test/admin', '/admin'],
    ['//evil.test/admin', '/admin'],
    ['/\\evil.test/admin', '/admin'],
    ['\\\\evil.test', '/admin'],
    ['/admin/..//evil.test', '/admin'],
    ['/admin/../../charge', '/admin'],
    ['/\t/evil.test/admin', '/admin'],
    ['/admin/\r\nset-cookie: a=b', '/admin/set-cookie:%20a=b'],
    ['/admin/\u{1f4a1}', '/admin/%F0%9F%92%A1'],
    ['/administrator', '/admin'],
    ['javascript:alert(1)', '/admin'],
    ['data:text/html,/admin', '/admin'],
    ['http://service.invalid/admin', '/admin'],
    ['@evil.test', '/admin'],
    ['/admin@evil.test', '/admin'],
  ])('who had asked for %j is led to %s', async (next, place) => {
    const { headers } = await knock({ password: PASSWORD, ...(next === undefined ? {} : { next }) })
    expect(headers.location).toBe(place)
  })

  it('may leave out the name: a script sends the password alone', async () => {
    const { headers, statusCode } = await service.app.inject({
      method: 'POST',
      url: '/admin/sign-in',
      remoteAddress: nextAddress(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ password: PASSWORD }).toString(),
    })
    expect([statusCode, headers.location]).toEqual([303, '/admin'])
  })

  it.each(['', '   ', '\u202e'])('cannot have the name %j: another is asked for', async (name) => {
    const answer = await knock({ password: PASSWORD, name })
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([401, undefined])
    expect(answer.body).toMatch(/<input name="name"[^>]*aria-invalid="true".*?Enter your name\./)
    const wrong = await knock({ password: 'x', name })
    expect(wrong.body).toBe(answer.body)
  })

  it('is asked for a name before a link is used up', async () => {
    const { once } = await link()
    const asked = await knock({ once, name: '' })
    expect([asked.statusCode, asked.body.includes(`value="${once}"`)]).toEqual([401, true])
    expect((await knock({ once })).statusCode).toBe(303)
  })

  it('need not type the name again after a wrong password', async () => {
    expect((await knock({ password: 'x', name: 'Grace "H"' })).body).toContain(
      'value="Grace &quot;H&quot;"',
    )
  })

  it.each([
    ['A\u202ed\u0000a\n', 'Ada'],
    ['x'.repeat(200), 'x'.repeat(60)],
  ])('with the name %j is called %s', async (name, called) => {
    await knock({ password: PASSWORD, name })
    expect(await lastAuditEntry(world)).toMatchObject({ operator: called })
  })
})

it('a form whose session has ended says so, and leads back to its page', async () => {
  const { statusCode, body } = await service.app.inject({
    method: 'POST',
    url: '/admin/teams/new',
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      referer: 'http://console.example/admin/teams?q=a',
    },
    payload: 'name=Harbour',
  })
  expect(statusCode).toBe(401)
  expect(body).toContain('Your session is over, so nothing was done.')
  expect(body).toContain('name="next" value="/admin/teams?q=a"')
})

describe('attempts', () => {
  it('are ten a minute and address, after which the right password is refused too', async () => {
    const address = nextAddress()
    const wrong = await Promise.all(
      Array.from({ length: 14 }, () => knock({ password: 'x' }, { address })),
    )
    const statuses = wrong.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([...Array(signInsAMinute).fill(401), ...Array(4).fill(429)])
    const refused = await knock({ password: PASSWORD }, { address })
    expect([refused.statusCode, refused.headers['set-cookie']]).toEqual([429, undefined])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    const { once } = await link()
    expect((await knock({ once }, { address })).statusCode).toBe(429)

    expect((await knock({ password: PASSWORD })).statusCode).toBe(303)
    await later(61_000, async () =>
      expect((await knock({ password: PASSWORD }, { address })).statusCode).toBe(303),
    )
  })

  it('that are refused do not fill the log', async () => {
    const address = nextAddress()
    const before = await world.db.prisma.auditEntry.count()
    for (let i = 0; i < 13; i += 1) await knock({ password: 'x' }, { address })
    expect(await world.db.prisma.auditEntry.count()).toBe(before + 1)
    await later(11 * 60_000, () => knock({ password: 'x' }, { address }))
    expect(await world.db.prisma.auditEntry.count()).toBe(before + 2)
  })

  it("count for the proxy's client, not for the proxy", async () => {
    const headers = { 'x-forwarded-for': nextAddress() }
    for (let i = 0; i < 11; i += 1) await knock({ password: 'x' }, { address: PROXY, headers })
    expect((await knock({ password: PASSWORD }, { address: PROXY, headers })).statusCode).toBe(429)
    const other = { 'x-forwarded-for': nextAddress() }
    const { statusCode } = await knock({ password: PASSWORD }, { address: PROXY, headers: other })
    expect(statusCode).toBe(303)
  })
})

describe('attempts from many addresses', () => {
  let open: TestService
  let aheadHereMs = 0

  beforeAll(async () => {
    open = await openTestService({
      queues: [],
      settings: { ADMIN_PASSWORD: PASSWORD },
      timings: { signInsAMinute, strangerSignInsAMinute },
      clock: { now: () => new Date(Date.now() + aheadHereMs) },
    })
  })
  afterAll(() => open.close())

  it('are limited in all, and keep no operator out', async () => {
    const home = nextAddress()
    expect(await statusOf(await newLink(), home)).toBe(303)
    const statuses = await Promise.all(
      Array.from({ length: 60 }, () => statusOf({ password: 'x' }, nextAddress())),
    )
    expect(statuses.filter((status) => status === 401).length).toBe(strangerSignInsAMinute)
    expect(statuses.filter((status) => status === 429).length).toBe(60 - strangerSignInsAMinute)

    const away = nextAddress()
    expect(await statusOf({ password: PASSWORD }, away)).toBe(429)
    expect(await statusOf({ password: PASSWORD }, home)).toBe(303)
    // The link works from elsewhere, and makes that address a known one.
    expect(await statusOf(await newLink(), away)).toBe(303)
    expect(await statusOf({ password: PASSWORD }, away)).toBe(303)

    // After a minute new addresses can try again; after a month an operator's address is new as
    // well.
    aheadHereMs = 61_000
    expect(await statusOf({ password: PASSWORD }, nextAddress())).toBe(303)
    aheadHereMs = 31 * 24 * 3_600_000
    await Promise.all(Array.from({ length: 20 }, () => statusOf({ password: 'x' }, nextAddress())))
    expect(await statusOf({ password: PASSWORD }, home)).toBe(429)
  })

  it('by made-up links fill no audit log, and let a link in', async () => {
    aheadHereMs += 61_000
    const count = () => open.world.db.prisma.auditEntry.count({ where: { operator: 'stranger' } })
    const before = await count()
    const madeUp = () => statusOf({ once: 'x'.repeat(43) }, nextAddress())
    const statuses = await Promise.all(Array.from({ length: 60 }, madeUp))
    expect(new Set(statuses)).toEqual(new Set([401]))
    expect((await count()) - before).toBe(strangerSignInsAMinute)
    expect(await statusOf(await newLink(), nextAddress())).toBe(303)
    // A wrong password is not lost among them.
    expect(await statusOf({ password: 'x' }, nextAddress())).toBe(401)
    expect((await count()) - before).toBe(strangerSignInsAMinute + 1)
  })

  it('write at most sixty audit entries an hour', async () => {
    const count = () => open.world.db.prisma.auditEntry.count({ where: { operator: 'stranger' } })
    const statuses: number[] = []
    aheadHereMs += 2 * 3_600_000
    const before = await count()
    for (let minute = 0; minute < 30; minute += 1) {
      aheadHereMs += 61_000
      for (let i = 0; i < 3; i += 1) statuses.push(await statusOf({ password: 'x' }, nextAddress()))
    }
    expect(statuses).toEqual(Array(90).fill(401))
    expect((await count()) - before).toBe(60)
  })

  it('from a known address are ten a minute like others', async () => {
    const home = nextAddress()
    aheadHereMs += 61_000
    expect(await statusOf({ password: PASSWORD }, home)).toBe(303)
    const statuses: number[] = []
    for (let i = 0; i < signInsAMinute; i += 1)
      statuses.push(await statusOf({ password: 'x' }, home))
    expect(statuses).toEqual([...Array(signInsAMinute - 1).fill(401), 429])
  })

  async function newLink() {
    const { url } = await makeSignInLink(open.world, BY_COMMAND)
    return { once: new URL(url).searchParams.get('once') ?? '' }
  }

  async function statusOf(form: Readonly<Record<string, string>>, address: string) {
    return (await knock(form, { address, of: open })).statusCode
  }
})

interface From {
  readonly address?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly of?: TestService
}

/** Sends the sign-in form, by default with a name and from a new address. */
function knock(
  form: Readonly<Record<string, string>>,
  { address = nextAddress(), headers = {}, of = service }: From = {},
) {
  return of.app.inject({
    method: 'POST',
    url: '/admin/sign-in',
    remoteAddress: address,
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    payload: new URLSearchParams({ name: 'Ada', ...form }).toString(),
  })
}

let addresses = 0

function nextAddress(): string {
  addresses += 1
  return `10.0.${addresses >> 8}.${addresses & 255}`
}

function cookieOf(headers: Readonly<Record<string, unknown>>): string {
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

async function link() {
  const { url } = await makeSignInLink(world, BY_COMMAND)
  const { pathname, search, searchParams } = new URL(url)
  return { path: pathname + search, once: searchParams.get('once') ?? '' }
}

async function later<T>(ms: number, act: () => Promise<T>): Promise<T> {
  aheadMs = ms
  try {
    return await act()
  } finally {
    aheadMs = 0
  }
}
