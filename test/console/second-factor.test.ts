// The second factor of an operator: how it is set up, used, and lost.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorById, resetSecondFactor } from '../../src/operators/manage-operators.ts'
import { readableTotpSecret } from '../../src/operators/second-factor.ts'
import { openVault } from '../../src/outside/vault.ts'
import { ensureSecretsKey, rotateSecrets } from '../../src/upkeep/secrets-keys.ts'
import type { World } from '../../src/world.ts'
import { see, sendForm } from '../support/operator.ts'
import {
  codeAt,
  newPerson,
  OWN_PASSWORD,
  type Person,
  sendStranger,
  sessionOf,
} from '../support/persons.ts'
import { SECRETS_KEY } from '../support/secrets-key.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const PATH = '/admin/me/second-factor'
const BY = { name: 'command line', address: 'this machine' }

let service: TestService
let world: World
const log: string[] = []

/** It stands still, so that a code belongs to the time that a test names. */
let now = new Date('2026-11-26T12:00:10Z')

beforeAll(async () => {
  service = await openTestService({
    queues: [],
    clock: { now: () => now },
    log: { write: (line) => void log.push(line) },
  })
  world = service.world
}, 60_000)
afterAll(() => service.close())

describe('the code of an authenticator app', () => {
  it('is what RFC 6238 says', () => {
    // Appendix B of the RFC: the secret in base32, the last six of its eight digits.
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    const codes = [59, 1_111_111_109, 1_234_567_890].map((s) => codeAt(secret, new Date(s * 1_000)))
    expect(codes).toEqual(['287082', '081804', '005924'])
  })

  it('is required once it is set up, and each code is accepted once', async () => {
    const { person, secret } = await withFactor()
    expect(await tryIn(person, '')).toEqual([401, 'Enter the code'])
    expect(await tryIn(person, '000000')).toEqual([401, 'Wrong code'])
    // The code that set it up counts as used.
    expect(await tryIn(person, codeAt(secret, now))).toEqual([401, 'Wrong code'])
    pass(30)
    const code = codeAt(secret, now)
    expect(await tryIn(person, `${code.slice(0, 3)} ${code.slice(3)}`)).toEqual([303, ''])
    expect(await tryIn(person, code)).toEqual([401, 'Wrong code'])
    expect(await lastSignIn(person)).toMatchObject({ by: 'own password and code' })
  })

  it('lets in one of ten simultaneous requests with it', async () => {
    const { person, secret } = await withFactor()
    pass(30)
    const code = codeAt(secret, now)
    const answers = await Promise.all(Array.from({ length: 9 }, () => tryIn(person, code)))
    expect(answers.filter(([status]) => status === 303)).toHaveLength(1)
  })

  it.each([
    ['a period late', -30, 303],
    ['a period early', 30, 303],
    ['two periods late', -60, 401],
    ['two periods early', 60, 401],
  ])('that is %s: %s s, is answered %i', async (_what, seconds, status) => {
    const { person, secret } = await withFactor()
    pass(300)
    const code = codeAt(secret, new Date(now.getTime() + seconds * 1_000))
    expect((await tryIn(person, code))[0]).toBe(status)
  })

  it('is not requested after a wrong password', async () => {
    const { person, secret } = await withFactor()
    pass(30)
    const fields = { name: person.name, password: 'x', code: codeAt(secret, now) }
    const { statusCode, body } = await sendStranger(service, '/admin/sign-in', fields)
    expect([statusCode, body.includes('Wrong name or password.')]).toEqual([401, true])
  })

  it('cannot be guessed: ten wrong codes lock it until an admin resets it', async () => {
    const { person, secret } = await withFactor()
    pass(30)
    const guesses = await Promise.all(
      Array.from({ length: 14 }, (_, i) => tryIn(person, `00000${i % 10}`)),
    )
    expect(guesses.filter(([, words]) => words === 'Wrong code')).toHaveLength(10)
    expect(await tryIn(person, codeAt(secret, now))).toEqual([401, 'Too many wrong codes'])
    const [entry] = await world.db.query('SELECT deed, detail FROM deed ORDER BY id DESC LIMIT 1')
    expect(entry).toEqual({
      deed: 'sign-in refused',
      detail: {
        by: 'password',
        operator: person.name,
        why: 'the password was right, the second factor is locked',
      },
    })
    expect(await operatorById(world, person.id)).toMatchObject({ secondFactor: 'locked' })
    await resetSecondFactor(world, BY, person)
    expect(await tryIn(person, '')).toEqual([303, ''])
  })

  it('starts counting anew after a right code', async () => {
    const { person, secret } = await withFactor()
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 6; i += 1) await tryIn(person, '000000')
      pass(30)
      expect((await tryIn(person, codeAt(secret, now)))[0]).toBe(303)
    }
  })
})

describe('the second factor', () => {
  it('requires a code of the app and the password, and ends the other sessions', async () => {
    const person = await newPerson(world)
    const [here, there] = [await sessionOf(world, person), await sessionOf(world, person)]
    const { body } = await see(service.app, PATH, here)
    const [, secret = ''] = body.match(/name="secret" value="([A-Z2-7]{32})"/) ?? []
    const code = codeAt(secret, now)
    const turnOn = (fields: Readonly<Record<string, string>>) =>
      sendForm(service.app, PATH, here, { secret, code, current: OWN_PASSWORD, ...fields })
    for (const fields of [{ code: '000000' }, { code: '' }, { secret: 'A' }, { current: 'x' }]) {
      expect((await turnOn(fields)).statusCode).toBe(422)
    }
    expect((await see(service.app, '/admin/audit', there)).statusCode).toBe(200)
    expect((await turnOn({})).statusCode).toBe(303)
    expect((await see(service.app, '/admin/audit', there)).statusCode).toBe(401)
  })

  it('is removed with the password and a code, and with neither alone', async () => {
    const { person, secret } = await withFactor()
    pass(30)
    const session = await sessionOf(world, person)
    const remove = async (current: string, code: string) =>
      (await sendForm(service.app, `${PATH}/remove`, session, { current, code })).statusCode
    expect(await remove('x', codeAt(secret, now))).toBe(422)
    expect(await remove(OWN_PASSWORD, '')).toBe(422)
    expect(await remove(OWN_PASSWORD, '000000')).toBe(422)
    expect((await tryIn(person, ''))[0]).toBe(401)
    expect(await remove(OWN_PASSWORD, codeAt(secret, now))).toBe(303)
    expect((await tryIn(person, ''))[0]).toBe(303)
  })

  it('is not replaced by another while it is on', async () => {
    const { person, secret } = await withFactor()
    const session = await sessionOf(world, person)
    const other = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    const fields = { secret: other, code: codeAt(other, now), current: OWN_PASSWORD }
    expect((await sendForm(service.app, PATH, session, fields)).statusCode).toBe(422)
    pass(30)
    expect((await tryIn(person, codeAt(other, now)))[0]).toBe(401)
    expect((await tryIn(person, codeAt(secret, now)))[0]).toBe(303)
  })

  it('cannot be checked once its key is lost, until an admin resets it', async () => {
    const { person } = await withFactor()
    const session = await sessionOf(world, person)
    const other = openVault({ keys: [randomBytes(32).toString('base64')], file: '/nowhere' })
    const lost = 'UPDATE operator SET totp_secret = $2 WHERE id = $1'
    await world.db.query(lost, [person.id, other.seal('x', `operator ${person.id}`)])
    expect(await tryIn(person, '123456')).toEqual([401, 'factor cannot be read'])
    const fields = { current: OWN_PASSWORD, code: '123456' }
    const { statusCode, body } = await sendForm(service.app, `${PATH}/remove`, session, fields)
    expect([statusCode, body.includes('your second factor is lost')]).toEqual([422, true])
    await resetSecondFactor(world, BY, person)
    expect(await tryIn(person, '')).toEqual([303, ''])
  })

  it('is sealed, is in no log, and is sealed anew with a new key', async () => {
    const { person, secret } = await withFactor()
    const kept = async () => {
      const rows = await world.db.query('SELECT row_to_json(o)::text AS text FROM operator o')
      return JSON.stringify([rows, log, await world.db.prisma.auditEntry.findMany()])
    }
    expect(await kept()).not.toContain(secret)
    const sealed = () => world.db.prisma.operator.findUniqueOrThrow({ where: { id: person.id } })
    const before = await sealed()
    await ensureSecretsKey(world)
    const [former = ''] = world.vault.keyIds()
    const keys = [randomBytes(32).toString('base64'), SECRETS_KEY]
    const rotating = { ...world, vault: openVault({ keys, file: '/nowhere' }) }
    const { key, unused } = await rotateSecrets(rotating, { hasNewKey: false })
    const { totpSecret } = await sealed()
    expect(totpSecret).not.toBe(before.totpSecret)
    expect(totpSecret).toContain(key)
    expect(readableTotpSecret(rotating, person.id, totpSecret ?? '')).toBe(secret)
    expect(unused).toEqual([former])
  })
})

async function withFactor(): Promise<{ readonly person: Person; readonly secret: string }> {
  const person = await newPerson(world)
  const session = await sessionOf(world, person)
  const { body } = await see(service.app, PATH, session)
  const [, secret = ''] = body.match(/name="secret" value="([A-Z2-7]{32})"/) ?? []
  const fields = { secret, code: codeAt(secret, now), current: OWN_PASSWORD }
  expect((await sendForm(service.app, PATH, session, fields)).statusCode).toBe(303)
  return { person, secret }
}

/** The status, and the beginning of the message. */
async function tryIn({ name }: Person, code: string): Promise<readonly [number, string]> {
  const fields = { name, password: OWN_PASSWORD, code }
  const { statusCode, body } = await sendStranger(service, '/admin/sign-in', fields)
  const texts = ['Enter the code', 'Wrong code', 'Too many wrong codes', 'factor cannot be read']
  const said = texts.find((one) => body.includes(one))
  return [statusCode, said ?? '']
}

async function lastSignIn({ name }: Person) {
  const entry = await world.db.prisma.auditEntry.findFirst({
    where: { operator: name, action: 'signed in' },
    orderBy: { id: 'desc' },
  })
  return entry?.detail
}

function pass(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1_000)
}
