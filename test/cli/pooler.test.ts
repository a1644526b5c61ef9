// A database behind a pooler: if the pooler shares sessions between transactions, every command
// says so in a line and fails, instead of waiting for ever.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../support/command.ts'
import { pgbouncer, startDeafProxy, startPgbouncer } from '../support/pooler.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'

const LONG = { timeout: 60_000 }

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

if (pgbouncer === undefined) {
  console.warn('SKIPPED: pgbouncer is not on the PATH: a proxy stands in for it')
}

const line = (why: string) =>
  new RegExp(
    `^lamplighter: the server at DATABASE_URL ${why}[^\\n]*connect to PostgreSQL directly[^\\n]*\\n$`,
  )

function doctor(url: string) {
  return runCommand(['doctor', '--json'], { DATABASE_URL: url })
}

describe('a pooler', LONG, () => {
  it('that shares sessions is reported by the first command', async () => {
    await using proxy = await startDeafProxy(database.url)
    const { status, err } = await doctor(proxy.url)
    expect(err).toMatch(line('shares sessions between transactions'))
    expect(status).toBe(1)
  })

  it('lets an API server end', async () => {
    await using proxy = await startDeafProxy(database.url)
    const settings = { DATABASE_URL: proxy.url, PORT: '0', LOG_LEVEL: 'fatal' }
    const { status, err } = await runCommand(['api'], settings)
    expect(err).toMatch(line('shares sessions between transactions'))
    expect(status).toBe(1)
  })
})

describe.skipIf(pgbouncer === undefined)('PgBouncer', LONG, () => {
  const IGNORING = 'options,statement_timeout,idle_in_transaction_session_timeout,lock_timeout'

  it.each([
    [{ pool_mode: 'transaction' }, 'refuses the settings'],
    [{ pool_mode: 'statement' }, 'refuses the settings'],
    [{ pool_mode: 'transaction', ignore_startup_parameters: IGNORING }, 'drops the settings'],
    [{ pool_mode: 'session', ignore_startup_parameters: IGNORING }, 'drops the settings'],
  ])('with %j is reported in a line', async (settings, why) => {
    await using pooler = await startPgbouncer(database.url, settings)
    const { status, err } = await doctor(pooler.url)
    expect(err).toMatch(line(why))
    expect(status).toBe(1)
  })
})
