// The commands for operators.

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runHere } from '../support/command.ts'
import { OWN_PASSWORD, onceOf, sendStranger } from '../support/persons.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const LONG = { timeout: 60_000 }

let service: TestService

beforeAll(async () => {
  service = await openTestService({ queues: [] })
})
afterAll(() => service.close())

describe('lamplighter operators', LONG, () => {
  it('adds an operator, who chooses a password at the link and signs in', async () => {
    const added = await lamplighter('operators', 'add', 'Grace', '--role', 'view')
    expect(added).toMatchObject({ status: 0, err: '' })
    const fields = { once: onceOf(added.out.trim()), password: OWN_PASSWORD }
    expect((await sendStranger(service, '/admin/password', fields)).statusCode).toBe(303)
    expect((await signIn('grace')).statusCode).toBe(303)
    const [listed] = JSON.parse((await lamplighter('operators', '--json')).out)
    expect(listed).toMatchObject({ name: 'Grace', role: 'view', state: 'active' })
  })

  it('says beside a link at a terminal what its address follows from', async () => {
    const { isTTY } = process.stderr
    onTestFinished(() => {
      process.stderr.isTTY = isTTY
    })
    process.stderr.isTTY = true
    const own = await lamplighter('sign-in-link')
    expect(own.out).toMatch(/^http:\/\/\S+once=\S+\n$/)
    expect(own.err).toContain('Its address follows from PORT, ADMIN_PORT and PUBLIC_URL')
    const json = await lamplighter('sign-in-link', '--json')
    expect(json.err).toBe('')
  })

  it('changes the role and the access, and the audit log has both', async () => {
    await lamplighter('operators', 'add', 'Joan')
    const set = await lamplighter('operators', 'set', 'joan', 'role=admin', 'enabled=false')
    expect(set.out).toMatch(/role: admin\nstate: disabled\n/)
    const entries = await service.world.db.prisma.auditEntry.findMany({ orderBy: { id: 'desc' } })
    expect(entries.slice(0, 2)).toMatchObject([
      { operator: 'command line', action: 'operator disabled' },
      {
        operator: 'command line',
        action: 'operator role set',
        detail: { role: 'operate → admin' },
      },
    ])
    const refused = await lamplighter('operators', 'password-link', 'Joan')
    expect(refused).toMatchObject({ status: 1, err: expect.stringContaining('is disabled') })
  })

  it.each([
    [
      ['set', 'Grace', 'role=root'],
      'role=root is not a change: role=view|operate|admin or enabled=true|false',
    ],
    [['set', 'Grace', 'role=admin', 'color=red'], 'color=red is not a change'],
    [['set', 'Grace', 'enabled=false=true'], 'enabled=false=true is not a change'],
    [['set', 'Nemo', 'role=view'], 'no operator is called Nemo'],
    [['add', 'grace'], 'an operator is called grace already'],
    [['add', 'start'], 'The service itself goes by that name'],
  ])('refuses %j with a sentence, and does nothing', async (words, sentence) => {
    const before = await service.world.db.prisma.operator.findMany()
    const { status, err } = await lamplighter('operators', ...words)
    expect([status, err.split('\n').length]).toEqual([1, 2])
    expect(err).toContain(sentence)
    expect(await service.world.db.prisma.operator.findMany()).toEqual(before)
  })
})

function signIn(name: string) {
  return sendStranger(service, '/admin/sign-in', { name, password: OWN_PASSWORD })
}

function lamplighter(...words: readonly string[]) {
  return runHere(words, { DATABASE_URL: service.databaseUrl })
}
