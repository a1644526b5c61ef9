// What two people do about operators at the same moment.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addOperator, operatorById } from '../../src/operators/manage-operators.ts'
import type { World } from '../../src/world.ts'
import { holdLock } from '../support/hold-lock.ts'
import { type SignedIn, see, sendForm } from '../support/operator.ts'
import { newPerson, type Person, sendStranger, sessionOf } from '../support/persons.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const SHARED = 'lamp oil and wicks'
const BY = { name: 'command line', address: 'this machine' }

let service: TestService
let world: World

beforeAll(async () => {
  const settings = { ADMIN_PASSWORD: SHARED }
  service = await openTestService({ queues: [], settings })
  world = service.world
})
afterAll(() => service.close())

/** The second begins when the first waits to write to the table, and both go on at once then. */
async function atOnce<A, B>(table: string, first: () => Promise<A>, second: () => Promise<B>) {
  const held = await holdLock(service.databaseUrl, `LOCK TABLE ${table} IN SHARE MODE`)
  const one = first()
  await held.untilWaiting(1)
  const other = second()
  await held.untilWaiting(2)
  await held.release()
  return Promise.all([one, other])
}

describe('two admins', () => {
  it.each([
    ['disable', {}],
    ['role', { role: 'view' }],
  ])('do not lock each other out: %s', async (act, fields) => {
    const [one, other] = [await newPerson(world, 'admin'), await newPerson(world, 'admin')]
    const sessions = [await sessionOf(world, one), await sessionOf(world, other)] as const
    const actOn = (person: Person, by: SignedIn) => () =>
      sendForm(service.app, `/admin/operators/${person.id}/${act}`, by, fields)
    const answers = await atOnce('deed', actOn(other, sessions[0]), actOn(one, sessions[1]))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 400])
    expect(answers[1].body).toContain('is not an admin any more')
    const left = await Promise.all([one, other].map(({ id }) => operatorById(world, id)))
    expect(left.filter((found) => found?.role === 'admin' && !found.isDisabled)).toHaveLength(1)
  })
})

describe('a session of the shared password', () => {
  const signIn = (name: string) => () =>
    sendStranger(service, '/admin/sign-in', { name, password: SHARED })
  const make = (name: string) => () => addOperator(world, BY, { name, role: 'view' })

  const cookieOf = ({ headers }: Awaited<ReturnType<typeof sendStranger>>) =>
    String(headers['set-cookie']).split(';')[0] ?? ''

  it('ends if an operator of its name is made while it begins', async () => {
    const [signedIn] = await atOnce('operator_session', signIn('Nell'), make('Nell'))
    expect(signedIn.statusCode).toBe(303)
    const page = await see(service.app, '/admin/me', { cookie: cookieOf(signedIn) })
    expect(page.statusCode).not.toBe(200)
  })

  it('does not begin if an operator of its name is being made', async () => {
    const [, refused] = await atOnce('deed', make('Otto'), signIn('Otto'))
    expect(refused.statusCode).not.toBe(303)
    expect(refused.headers['set-cookie']).toBeUndefined()
  })
})
