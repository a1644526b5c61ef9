// Operators as persons: their sign-in, the permissions of each role, and the end of their access.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { roleFor } from '../../src/console/who.ts'
import { hasRole, ROLES } from '../../src/core/role.ts'
import { DAY } from '../../src/core/time-units.ts'
import { BY_COMMAND } from '../../src/operators/audit-entries.ts'
import {
  addOperator,
  makePasswordLink,
  operatorById,
  setOperatorEnabled,
  setOperatorRole,
} from '../../src/operators/manage-operators.ts'
import { makeSignInLink } from '../../src/operators/sign-in-link.ts'
import { defaultTimings } from '../../src/timings.ts'
import type { World } from '../../src/world.ts'
import { lastAuditEntry, see, seeAfter, sendForm, signIn } from '../support/operator.ts'
import { FULL } from '../support/people.ts'
import { newPerson, OWN_PASSWORD, onceOf, sendStranger, sessionOf } from '../support/persons.ts'
import { consoleRoutesOf, type Route } from '../support/routes.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

const SHARED = 'lamp oil and wicks'
const BY = { name: 'command line', address: 'this machine' }
/** Names that look like another name, or like none. */
const DISGUISED = ['\u3164', '\u2800', 'start\ufe0f', 'Zoë\u034f Quill', '\u0410da', 'Ada\u115f']

let service: TestService
let world: World
const log: string[] = []
let aheadMs = 0

beforeAll(async () => {
  service = await openTestService({
    queues: [],
    settings: { ADMIN_PASSWORD: SHARED },
    timings: { signInsAMinute: defaultTimings.signInsAMinute },
    clock: { now: () => new Date(Date.now() + aheadMs) },
    log: { write: (line) => void log.push(line) },
  })
  world = service.world
}, 60_000)
afterAll(() => service.close())

describe('an operator', () => {
  it('signs in with a password of their own, under the name that the audit log has', async () => {
    const { name } = await newPerson(world)
    const { statusCode, headers } = await knock(` ${name.toUpperCase()} `, OWN_PASSWORD)
    expect([statusCode, headers.location]).toEqual([303, '/admin'])
    expect(await lastAuditEntry(world)).toMatchObject({
      operator: name,
      action: 'signed in',
      detail: { by: 'own password' },
    })
  })

  it.each([
    ['another password', 'wick oil brass glas'],
    ['the one password of the service', SHARED],
    ['none', ''],
    ['a very long one', 'x'.repeat(15_000)],
  ])('is not signed in with %s, and the answer is that to an unknown name', async (_, password) => {
    const { name } = await newPerson(world)
    const answer = await knock(name, password)
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([401, undefined])
    const unknown = await knock('Nemo Nobody', 'not the password')
    expect(answer.body.replaceAll(name, 'Nemo Nobody')).toBe(unknown.body)
  })

  it('is not signed in by a sign-in link under that name, and the link stays unused', async () => {
    const { name } = await newPerson(world)
    const once = onceOf((await makeSignInLink(world, BY_COMMAND)).url)
    const refused = await sendStranger(service, '/admin/sign-in', { name, once })
    expect([refused.statusCode, refused.headers['set-cookie']]).toEqual([401, undefined])
    expect(refused.body).toContain('that is the name of an operator')
    const other = await sendStranger(service, '/admin/sign-in', { name: 'Nemo', once })
    expect(other.statusCode).toBe(303)
  })

  it('is signed out at once when disabled, and cannot sign in until enabled', async () => {
    const person = await newPerson(world)
    const session = await sessionOf(world, person)
    const { url } = await makePasswordLink(world, BY, person)
    expect(await statusOf(session)).toBe(200)
    await setOperatorEnabled(world, BY, person, false)
    expect(await statusOf(session)).toBe(401)
    expect((await knock(person.name, OWN_PASSWORD)).statusCode).toBe(401)
    expect((await choose(url)).statusCode).toBe(401)
    expect((await knock(person.name, SHARED)).statusCode).toBe(401)
    await setOperatorEnabled(world, BY, person, true)
    expect(await statusOf(session)).toBe(401)
    expect((await knock(person.name, OWN_PASSWORD)).statusCode).toBe(303)
  })

  it('changes the password with the present one, and only the other sessions end', async () => {
    const person = await newPerson(world, 'view')
    const [here, there] = [await sessionOf(world, person), await sessionOf(world, person)]
    const change = (fields: Readonly<Record<string, string>>) =>
      sendForm(service.app, '/admin/me/password', here, fields)
    const next = 'brass bell harbor fog'
    for (const [fields, fault] of [
      [{ current: 'x', password: next }, 'Wrong password.'],
      [{ current: OWN_PASSWORD, password: 'short' }, 'Choose a password of 12 characters'],
      [{ current: OWN_PASSWORD, password: 'x'.repeat(201) }, '200 characters at most'],
      [{ current: OWN_PASSWORD, password: `${person.name}-1984-${person.name}!` }, 'your own name'],
      [{}, 'Choose a password'],
    ] as const) {
      const { statusCode, body } = await change(fields)
      expect([statusCode, body.includes(fault)]).toEqual([422, true])
    }
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 200])
    const changed = await change({ current: OWN_PASSWORD, password: next })
    expect((await seeAfter(service.app, changed, here)).first).toContain('The password is changed')
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 401])
    expect((await knock(person.name, OWN_PASSWORD)).statusCode).toBe(401)
    expect((await knock(person.name, next)).statusCode).toBe(303)
  })

  it('cannot guess the present password in an open session', async () => {
    const session = await sessionOf(world, await newPerson(world))
    const statuses: number[] = []
    for (let i = 0; i < 12; i += 1) {
      const fields = { current: `guess ${i}`, password: 'brass bell harbor fog' }
      const { statusCode } = await sendForm(service.app, '/admin/me/password', session, fields)
      statuses.push(statusCode)
    }
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429])
  })

  it('cannot be made twice under names that look alike, nor under a name of the service', async () => {
    await addOperator(world, BY, { name: 'Zoë  Quill', role: 'view' })
    for (const name of ['zoë quill', 'ZOË QUILL', 'Zoe\u0308 Quill', 'Ｚoë Quill', 'Zoe Quıll']) {
      await expect(addOperator(world, BY, { name, role: 'view' })).rejects.toThrow('already')
    }
    for (const name of [
      '',
      '  ',
      'Command Line',
      'stranger',
      'a\nb',
      'x'.repeat(61),
      '\u202eA',
      ...DISGUISED,
    ]) {
      await expect(addOperator(world, BY, { name, role: 'view' })).rejects.toThrow(/name/)
    }
    for (const name of ['Start', ...DISGUISED]) {
      expect([name, (await knock(name, SHARED)).statusCode]).toEqual([name, 401])
    }
    await addOperator(world, BY, { name: '山田 たろう', role: 'view' })
    await addOperator(world, BY, { name: 'Ада', role: 'view' })
  })

  it('ends the sessions that the shared password has under its name, but for its maker’s', async () => {
    const [theirs, other] = [await signIn(world, 'nell  marsh'), await signIn(world, 'Otto')]
    await addOperator(world, BY, { name: 'Nell Marsh', role: 'view' })
    await addOperator(world, { ...BY, name: 'Otto' }, { name: 'Otto', role: 'admin' })
    expect((await see(service.app, '/admin/me', theirs)).statusCode).not.toBe(200)
    expect((await see(service.app, '/admin/me', other)).statusCode).toBe(200)
  })
})

describe('a password link', () => {
  it('is not used up by opening it, and one of twenty simultaneous requests sets the password', async () => {
    const { id, name, url } = await addOperator(world, BY, { name: 'Invited', role: 'view' })
    const page = await see(service.app, new URL(url).pathname + new URL(url).search, { cookie: '' })
    expect([page.statusCode, page.body.includes(name)]).toEqual([200, true])
    for (const weak of ['weak', 'Invited 20261129']) {
      expect((await choose(url, weak)).statusCode).toBe(422)
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => choose(url)))
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 303)).toHaveLength(1)
    // Passwords are derived one after the other: a busy machine has no time for all of them.
    expect(statuses.filter((status) => ![303, 401, 503].includes(status))).toEqual([])
    expect(await operatorById(world, id)).toMatchObject({ hasPassword: true, linkExpiresAt: null })
    expect((await knock(name, OWN_PASSWORD)).statusCode).toBe(303)
  })

  it('ends with the next link, after four days, and when all sessions are ended', async () => {
    const person = await newPerson(world)
    const [first, second] = [
      await makePasswordLink(world, BY, person),
      await makePasswordLink(world, BY, person),
    ]
    expect((await choose(first.url)).statusCode).toBe(401)
    aheadMs = 4 * DAY
    expect((await choose(second.url)).statusCode).toBe(401)
    aheadMs = 4 * DAY - 60_000
    expect((await choose(second.url)).statusCode).toBe(303)
    aheadMs = 0
  })

  it('ends the sessions of the old password', async () => {
    const person = await newPerson(world)
    const session = await sessionOf(world, person)
    const { url } = await makePasswordLink(world, BY, person)
    expect(await statusOf(session)).toBe(200)
    expect((await choose(url)).statusCode).toBe(303)
    expect(await statusOf(session)).toBe(401)
  })

  it('is not stored as it is, and neither is a password', async () => {
    const person = await newPerson(world)
    const { url } = await makePasswordLink(world, BY, person)
    await choose(url)
    await knock(person.name, OWN_PASSWORD)
    const rows = await world.db.query('SELECT row_to_json(o)::text AS text FROM operator o')
    const kept = JSON.stringify([rows, log, await world.db.prisma.auditEntry.findMany()])
    expect(kept).toContain('scrypt$15$')
    for (const secret of [onceOf(url), OWN_PASSWORD]) expect(kept).not.toContain(secret)
  })
})

describe('a role', () => {
  let changes: readonly Route[]

  beforeAll(async () => {
    const open = ['/admin/sign-in', '/admin/password']
    const routes = await consoleRoutesOf(world)
    changes = routes.filter(
      ({ method, url }) =>
        !['GET', 'HEAD', 'OPTIONS'].includes(String(method)) && !open.includes(url),
    )
  }, 60_000)

  it.each(ROLES)('of %s allows exactly its own forms, and refuses the rest', async (role) => {
    const person = await newPerson(world, role)
    const wrong: string[] = []
    for (const { method, url } of changes) {
      // Some forms end the session, so each has a new one.
      const session = await sessionOf(world, person)
      const { statusCode, body } = await service.app.inject({
        method: method as 'POST',
        url: url.replace('*', 'api/queues/charge/pause').replace(/:\w+/g, person.id),
        headers: {
          cookie: session.cookie,
          accept: 'text/html',
          'x-xsrf-token': session.formToken,
          'content-type': 'application/x-www-form-urlencoded',
        },
        payload: new URLSearchParams({ _form: session.formToken }).toString(),
      })
      const isRefused = statusCode === 403 && body.includes('Your role doesn’t allow this')
      if (isRefused === hasRole(role, roleFor(url))) wrong.push(`${method} ${url} ${statusCode}`)
    }
    expect(wrong).toEqual([])
    expect(changes.length).toBeGreaterThan(40)
  })

  it('that can act on teams, keys and operators is that of an admin', () => {
    const admin = changes.filter(({ url }) => roleFor(url) === 'admin').map(({ url }) => url)
    expect(admin).toEqual(
      expect.arrayContaining([
        '/admin/teams/new',
        '/admin/teams/:id/keys',
        '/admin/operators/new',
        '/admin/endpoints/new',
        '/admin/endpoints/:account/:id/set',
        '/admin/endpoints/:account/:id/roll',
        '/admin/endpoints/:account/:id/delete',
      ]),
    )
    const view = changes.filter(({ url }) => roleFor(url) === 'view').map(({ url }) => url)
    expect([...new Set(view)].sort()).toEqual([
      '/admin/me/password',
      '/admin/me/second-factor',
      '/admin/me/second-factor/remove',
      '/admin/sign-out',
    ])
  })

  it('takes effect with the next request', async () => {
    const person = await newPerson(world, 'admin')
    const session = await sessionOf(world, person)
    const make = (name: string) => sendForm(service.app, '/admin/teams/new', session, { name })
    expect((await make('Before')).statusCode).toBe(303)
    await setOperatorRole(world, BY, person, 'operate')
    expect((await make('After')).statusCode).toBe(403)
    expect(await world.db.prisma.team.count({ where: { name: 'After' } })).toBe(0)
  })

  it('without permission for a form shows it disabled, and says so in the menu', async () => {
    const viewer = await see(
      service.app,
      '/admin/teams/new',
      await sessionOf(world, await newPerson(world, 'view')),
    )
    expect(viewer.body).toMatch(/<fieldset[^>]* disabled[^>]*>.*Create team/s)
    expect(viewer.body).toContain('view only')
    const admin = await see(
      service.app,
      '/admin/teams/new',
      await sessionOf(world, await newPerson(world, 'admin')),
    )
    expect(admin.body).not.toMatch(/<fieldset[^>]* disabled/)
  })

  it('to view is named on the queue board, whose own script still offers its actions', async () => {
    const boardOf = async (role: 'view' | 'operate') => {
      const session = await sessionOf(world, await newPerson(world, role))
      return (await see(service.app, '/admin/queues', session)).body
    }
    expect(await boardOf('view')).toContain('Your role is view: actions are refused.')
    expect(await boardOf('operate')).not.toContain('actions are refused')
  })

  it('to view shows no payer-page token in a kept message', async () => {
    const { accountId } = await service.merchant()
    const token = 'ab12'.repeat(8)
    const address = `https://pay.example/unsubscribe/${token}`
    const id = world.newId()
    const data = { accountId, id, deliveryId: id, channel: 'email', recipient: 'a@b.test' } as const
    const texts = { subject: 'A bill', text: address, html: `<a href="${address}">Stop</a>` }
    await world.db.prisma.outboxMessage.create({
      data: { ...data, ...texts, createdAt: world.clock.now() },
    })
    for (const path of [
      `/admin/outbox/${accountId}/${id}`,
      `/admin/outbox/${accountId}/${id}/page`,
    ]) {
      for (const role of ['view', 'operate'] as const) {
        const session = await sessionOf(world, await newPerson(world, role))
        const { statusCode, body } = await see(service.app, path, session)
        expect([path, role, statusCode, body.includes(token)]).toEqual([
          path,
          role,
          200,
          role === 'operate',
        ])
      }
    }
  })

  it('to view shows no payer-page token on the pages of an invoice and its events', async () => {
    const { accountId, headers } = await service.merchant()
    const payer = (await call(service.app, 'POST', '/customer', headers, FULL)).body.id
    const sent = { total: 7, customer_id: payer }
    const { id, url } = (await call(service.app, 'POST', '/invoice', headers, sent)).body
    const [event] = await world.db.prisma.event.findMany({ where: { accountId, resourceId: id } })
    for (const path of [
      `/admin/invoices/${accountId}/${id}`,
      `/admin/events/${accountId}/${event?.id}`,
    ]) {
      for (const role of ['view', 'operate'] as const) {
        const session = await sessionOf(world, await newPerson(world, role))
        const { statusCode, body } = await see(service.app, path, session)
        const isShown = body.includes(new URL(url).pathname)
        expect([path, role, statusCode, isShown]).toEqual([path, role, 200, role === 'operate'])
      }
    }
  })

  it('of an admin cannot be changed by that admin', async () => {
    const person = await newPerson(world, 'admin')
    const session = await sessionOf(world, person)
    for (const act of ['role', 'disable', 'link', 'reset-second-factor']) {
      const path = `/admin/operators/${person.id}/${act}`
      expect((await sendForm(service.app, path, session, { role: 'view' })).statusCode).toBe(409)
    }
    expect(await operatorById(world, person.id)).toMatchObject({ role: 'admin', isDisabled: false })
  })
})

describe('the pages of operators', () => {
  it('add an operator, and show the link once', async () => {
    const admin = await signIn(world)
    const path = '/admin/operators/new'
    const made = await sendForm(service.app, path, admin, { name: 'Grace', role: 'operate' })
    expect(made.statusCode).toBe(200)
    const [url = ''] = made.body.match(/http[^<"]+once=[\w-]+/) ?? []
    expect((await choose(url)).statusCode).toBe(303)
    const list = await see(service.app, '/admin/operators', admin)
    expect(list.body).toContain('Grace')
    expect(list.body).not.toContain('once=')
    const again = await sendForm(service.app, path, admin, { name: 'grace', role: 'operate' })
    expect(again.statusCode).toBe(422)
    expect(again.body).toContain('An operator is called grace already: choose a different name.')
    const long = await sendForm(service.app, path, admin, { name: 'G'.repeat(61), role: 'view' })
    expect(long.statusCode).toBe(422)
    expect(long.body).toContain('Enter a name of 60 visible characters at most.')
    const wrong = await sendForm(service.app, path, admin, { name: 'Hopper', role: 'root' })
    expect([wrong.statusCode, wrong.body.includes('Choose a role.')]).toEqual([422, true])
  })

  it("change an operator's role and access, and each change is in the audit log", async () => {
    const admin = await signIn(world)
    const person = await newPerson(world, 'view')
    for (const [act, fields, action] of [
      ['role', { role: 'admin' }, 'operator role set'],
      ['disable', {}, 'operator disabled'],
      ['enable', {}, 'operator enabled'],
    ] as const) {
      const path = `/admin/operators/${person.id}/${act}`
      expect((await sendForm(service.app, path, admin, fields)).statusCode).toBe(303)
      expect(await lastAuditEntry(world)).toMatchObject({
        operator: 'Ada',
        action,
        subject: person.id,
      })
    }
    expect(await operatorById(world, person.id)).toMatchObject({ role: 'admin', isDisabled: false })
  })

  it('explain an own account to a person who signed in with the shared password', async () => {
    const page = await see(service.app, '/admin/me', await signIn(world))
    expect([page.statusCode, page.body.includes('Add an operator')]).toEqual([200, true])
  })
})

function knock(name: string, password: string, code = '') {
  return sendStranger(service, '/admin/sign-in', { name, password, code })
}

function choose(url: string, password = OWN_PASSWORD) {
  return sendStranger(service, '/admin/password', { once: onceOf(url), password })
}

async function statusOf(session: { readonly cookie: string }): Promise<number> {
  return (await see(service.app, '/admin/audit', session)).statusCode
}
