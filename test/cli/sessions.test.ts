// The commands that list and end sessions of the console.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BY_COMMAND } from '../../src/operators/audit-entries.ts'
import { makeSignInLink } from '../../src/operators/sign-in-link.ts'
import { runHere } from '../support/command.ts'
import { lastAuditEntry, see, signIn } from '../support/operator.ts'
import { newPerson, sessionOf } from '../support/persons.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const LONG = { timeout: 60_000 }

let service: TestService

beforeAll(async () => {
  service = await openTestService({ queues: [] })
})
afterAll(() => service.close())

describe('lamplighter sessions', LONG, () => {
  it('lists them, the newest first, without any secret', async () => {
    const [ada, bob] = [await signIn(service.world, 'Ada'), await signIn(service.world, 'Bob')]
    const { out } = await lamplighter('sessions', '--json')
    const listed = JSON.parse(out)
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['Bob', 'Ada'])
    expect(listed[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: 'Bob',
      address: '127.0.0.1',
      created_at: expect.any(String),
      expires_at: expect.any(String),
      has_own_password: false,
    })
    for (const { cookie, formToken } of [ada, bob]) {
      expect(out).not.toContain(cookie.split('=')[1])
      expect(out).not.toContain(formToken)
    }
  })

  it('says that those of the shared password are listed although it has changed', async () => {
    await lamplighter('sessions', 'end', '--all')
    const hint = 'a session of before a change of ADMIN_PASSWORD lets nobody in'
    const grace = await newPerson(service.world)
    await sessionOf(service.world, grace)
    const own = (await lamplighter('sessions')).out
    expect(own).toMatch(new RegExp(`${grace.name} .* yes\n`))
    expect(own).not.toContain(hint)
    await signIn(service.world, 'Ada')
    const both = (await lamplighter('sessions')).out
    expect(both).toMatch(/Ada .* no\n/)
    expect(both).toContain(hint)
    await lamplighter('sessions', 'end', '--all')
  })

  it('ends one, at once and for every process, and the audit log has it', async () => {
    const [ada, bob] = [await signIn(service.world, 'Ada'), await signIn(service.world, 'Bob')]
    const [{ id } = { id: '' }] = JSON.parse((await lamplighter('sessions', '--json')).out)
    expect(await lamplighter('sessions', 'end', id)).toMatchObject({ status: 0 })
    expect([await statusOf(ada), await statusOf(bob)]).toEqual([200, 401])
    expect(await lastAuditEntry(service.world)).toMatchObject({
      operator: 'command line',
      action: 'session ended',
      subject: id,
      detail: { name: 'Bob' },
    })
    expect(await lamplighter('sessions', 'end', id)).toMatchObject({
      status: 1,
      err: expect.stringContaining('no session has the id'),
    })
  })

  it('ends all, and the unused links', async () => {
    const ada = await signIn(service.world, 'Ada')
    await makeSignInLink(service.world, BY_COMMAND)
    const sessions = await service.world.db.prisma.operatorSession.count()
    expect(await lamplighter('sessions', 'end', '--all')).toMatchObject({
      status: 0,
      out: `ended: ${sessions}\n`,
    })
    expect(await statusOf(ada)).toBe(401)
    expect(await service.world.db.prisma.signInLink.count()).toBe(0)
    expect(await lastAuditEntry(service.world)).toMatchObject({
      action: 'all sessions ended',
      detail: { sessions, links: 1 },
    })
  })

  it.each([[[]], [['0123456789abcdef', '--all']]])(
    'wants one of the two: end %j',
    async (words) => {
      expect(await lamplighter('sessions', 'end', ...words)).toMatchObject({
        status: 1,
        err: expect.stringContaining('name one session by its id, or use --all'),
      })
    },
  )
})

function lamplighter(...words: readonly string[]) {
  return runHere(words, { DATABASE_URL: service.databaseUrl })
}

async function statusOf(operator: { readonly cookie: string }): Promise<number> {
  return (await see(service.app, '/admin/audit', operator)).statusCode
}
