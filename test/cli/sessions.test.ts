// What the command line says of the sessions of the console, and how it ends them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSignInLink } from '../../src/operators/sign-in-link.ts'
import { runCommand } from '../support/command.ts'
import { openTestHouse, type TestHouse } from '../support/house.ts'
import { see, signIn } from '../support/operator.ts'

const LONG = { timeout: 60_000 }

let house: TestHouse

beforeAll(async () => {
  house = await openTestHouse({ queues: [] })
})
afterAll(() => house.close())

describe('lamplighter sessions', LONG, () => {
  it('lists them, the newest first, and nothing that lets in', async () => {
    const [ada, bob] = [await signIn(house.world, 'Ada'), await signIn(house.world, 'Bob')]
    const { out } = await lamplighter('sessions', '--json')
    const listed = JSON.parse(out)
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['Bob', 'Ada'])
    expect(listed[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: 'Bob',
      address: '127.0.0.1',
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    })
    for (const { cookie, formToken } of [ada, bob]) {
      expect(out).not.toContain(cookie.split('=')[1])
      expect(out).not.toContain(formToken)
    }
  })

  it('ends one, at once and for every process, and the audit log has it', async () => {
    const [ada, bob] = [await signIn(house.world, 'Ada'), await signIn(house.world, 'Bob')]
    const [{ id } = { id: '' }] = JSON.parse((await lamplighter('sessions', '--json')).out)
    expect(await lamplighter('sessions', 'end', id)).toMatchObject({ status: 0 })
    expect([await statusOf(ada), await statusOf(bob)]).toEqual([200, 401])
    expect(await lastDeed()).toMatchObject({
      operator: 'command line',
      deed: 'session ended',
      subject: id,
      detail: { name: 'Bob' },
    })
    expect(await lamplighter('sessions', 'end', id)).toMatchObject({
      status: 1,
      err: expect.stringContaining('no session has the id'),
    })
  })

  it('ends all, and the links that wait to be used', async () => {
    const ada = await signIn(house.world, 'Ada')
    await makeSignInLink(house.world, 'command line')
    const sessions = await house.world.db.prisma.operatorSession.count()
    expect(await lamplighter('sessions', 'end', '--all')).toMatchObject({
      status: 0,
      out: `ended: ${sessions}\n`,
    })
    expect(await statusOf(ada)).toBe(401)
    expect(await house.world.db.prisma.signInLink.count()).toBe(0)
    expect(await lastDeed()).toMatchObject({
      deed: 'all sessions ended',
      detail: { sessions, links: 1 },
    })
  })

  it.each([[[]], [['0123456789abcdef', '--all']]])(
    'wants one of the two: end %j',
    async (words) => {
      expect(await lamplighter('sessions', 'end', ...words)).toMatchObject({
        status: 1,
        err: expect.stringContaining('name one session by its id, or end --all'),
      })
    },
  )
})

function lamplighter(...words: readonly string[]) {
  return runCommand(words, { DATABASE_URL: house.databaseUrl })
}

async function statusOf(operator: { readonly cookie: string }): Promise<number> {
  return (await see(house.app, '/admin/audit', operator)).statusCode
}

function lastDeed() {
  return house.world.db.prisma.deed.findFirst({ orderBy: { id: 'desc' } })
}
