// A session ends at the latest when the password changes that was in force at its start.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { type App, buildApp } from '../../src/http/app.ts'
import { openLog } from '../../src/log.ts'
import { BY_COMMAND } from '../../src/operators/audit-entries.ts'
import { makeSignInLink } from '../../src/operators/sign-in-link.ts'
import { openWorld } from '../../src/world.ts'
import { see } from '../support/operator.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const PASSWORD = 'lamp oil and wicks'
const OTHER = 'a taper and a ladder'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ queues: [], settings: { ADMIN_PASSWORD: PASSWORD } })
})
afterAll(() => service.close())

describe('a session begun by password', () => {
  it('goes on after a restart with the same password', async () => {
    const cookie = await signedIn(service.app, { password: PASSWORD })
    expect(await statusAfter({ ADMIN_PASSWORD: PASSWORD }, cookie)).toBe(200)
  })

  it.each([
    ['another password', { ADMIN_PASSWORD: OTHER }],
    ['none', {}],
  ])('has ended after a restart with %s', async (_what, settings) => {
    const cookie = await signedIn(service.app, { password: PASSWORD })
    expect(await statusAfter(settings, cookie)).toBe(401)
    // During a rolling restart, requests may still reach the process with the old password.
    expect((await see(service.app, '/admin/audit', { cookie })).statusCode).toBe(200)
  })
})

describe('a session begun by link', () => {
  it.each([
    ['the same password', PASSWORD, PASSWORD, 200],
    ['another password', PASSWORD, OTHER, 401],
    ['still no password', '', '', 200],
    ['a password where there was none', '', PASSWORD, 401],
    ['no password where there was one', PASSWORD, '', 401],
  ])('after a restart with %s', async (_what, before, since, status) => {
    await using first = await besides({ ADMIN_PASSWORD: before })
    const { url } = await makeSignInLink(service.world, BY_COMMAND)
    const once = new URL(url).searchParams.get('once') ?? ''
    const cookie = await signedIn(first.app, { once })
    expect(await statusAfter({ ADMIN_PASSWORD: since }, cookie)).toBe(status)
  })
})

describe('a session begun by the version before', () => {
  it('has ended, since its password is unknown', async () => {
    const cookie = await signedIn(service.app, { password: PASSWORD })
    await service.world.db.query('UPDATE operator_session SET password = NULL')
    expect((await see(service.app, '/admin/audit', { cookie })).statusCode).toBe(401)
  })
})

describe("the session row's trace of the password", () => {
  it('differs by session, so that two rows do not show whether it was changed', async () => {
    for (const _ of [1, 2]) await signedIn(service.app, { password: PASSWORD })
    const rows = await service.world.db.query(
      'SELECT password FROM operator_session WHERE password IS NOT NULL',
    )
    const digests = rows.map(({ password }) => String(password?.toString('hex')))
    expect(new Set(digests).size).toBe(digests.length)
    expect(digests.length).toBeGreaterThan(1)
  })
})

async function signedIn(app: App, form: Readonly<Record<string, string>>): Promise<string> {
  const { statusCode, headers } = await app.inject({
    method: 'POST',
    url: '/admin/sign-in',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ name: 'Ada', ...form }).toString(),
  })
  expect(statusCode).toBe(303)
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

async function statusAfter(settings: Readonly<Record<string, string>>, cookie: string) {
  await using other = await besides(settings)
  return (await see(other.app, '/admin/audit', { cookie })).statusCode
}

/** Another process on the same database. */
async function besides(settings: Readonly<Record<string, string>>) {
  const world = openWorld({
    config: readConfig({ PORT: '0', DATA_DIR: service.world.config.dataDir, ...settings }),
    databaseUrl: service.databaseUrl,
    log: openLog('silent'),
  })
  const app = await buildApp(world)
  return {
    app,
    async [Symbol.asyncDispose]() {
      await app.close()
      await world.close()
    },
  }
}
