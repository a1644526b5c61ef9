// Only the processes of the service and `migrate` migrate. A command of a new version beside a
// running old one changes no table, and one of an old version still helps in an emergency.

import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { runCommand, runHere } from '../support/command.ts'
import { type FreshDatabase, freshDatabase, queryAt } from '../support/postgres.ts'

const LONG = { timeout: 60_000 }

const EMPTY = 'empty_for_commands'

let database: FreshDatabase
let env: Readonly<Record<string, string>>

const ask = (text: string) => queryAt(database.url, text)
const ledger = () => ask('SELECT migration_name FROM _prisma_migrations ORDER BY 1')

/** Without the last migrations in its ledger, the database counts as an older one. */
const becomeOlder = () =>
  ask(`DELETE FROM _prisma_migrations WHERE migration_name IN
    (SELECT migration_name FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 2)`)

const becomeNewer = () =>
  ask(`INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name)
    VALUES ('later', 'x', current_timestamp, '90000000000000_later')`)

beforeEach(async () => {
  database = await freshDatabase()
  env = { DATABASE_URL: database.url }
  return () => database.drop()
})

describe('a command in an older database', LONG, () => {
  it.each([
    ['teams', 'list'],
    ['teams', 'create', 'Moonlight Books'],
    ['teams', 'set', 'Moonlight Books', 'status=inactive'],
    ['secrets', 'rotate'],
  ])('%s %s says what is pending, and migrates nothing', async (...words) => {
    await becomeOlder()
    const before = await ledger()
    expect(await runHere(words, env)).toEqual({
      status: 1,
      out: '',
      err: 'lamplighter: the database is older than this version: 2 migrations are pending; lamplighter migrate, or a process of this version that starts, applies them\n',
    })
    expect(await ledger()).toEqual(before)
  })

  it('doctor warns of it, and makes the other checks', async () => {
    await becomeOlder()
    const { out } = await runHere(['doctor'], env)
    expect(out).toContain('! migrations: 2 migrations are pending\n')
    expect(out).toContain('! processes: none runs')
    expect(await ledger()).toHaveLength((await all()) - 2)
  })

  it('migrate --status lists what is pending, and applies none', async () => {
    await becomeOlder()
    const { status, out } = await runHere(['migrate', '--status', '--json'], env)
    const { database: state, pending, unknown } = JSON.parse(out)
    expect([status, state, pending.length, unknown]).toEqual([0, 'older', 2, []])
    expect(await ledger()).toHaveLength((await all()) - 2)
  })
})

/** How many migrations this version has: the template has them all. */
async function all(): Promise<number> {
  const other = await freshDatabase()
  const rows = await queryAt(other.url, 'SELECT FROM _prisma_migrations')
  await other.drop()
  return rows.length
}

describe('a command of the version before, in a newer database', LONG, () => {
  it('stops a team and revokes a key', async () => {
    await runHere(['teams', 'create', 'Moonlight Books'], env)
    const made = await runHere(['keys', 'create', '--team', 'Moonlight Books', '--json'], env)
    await becomeNewer()
    const revoke = ['keys', 'revoke', JSON.parse(made.out).id]
    expect(await runHere(revoke, env)).toMatchObject({ status: 0, err: '' })
    const stop = ['teams', 'set', 'Moonlight Books', 'status=inactive']
    expect(await runHere(stop, env)).toMatchObject({ status: 0, err: '' })
  })

  it.each([['secrets', 'rotate'], ['worker']])('%s %s refuses', async (...words) => {
    await becomeNewer()
    const { status, err } = await runCommand(words, env)
    expect(err).toMatch(/^lamplighter: the database is newer than this version: .+\n$/)
    expect(status).toBe(1)
  })

  it('doctor and migrate --status say so', async () => {
    await becomeNewer()
    const { out } = await runHere(['doctor'], env)
    expect(out).toContain('! migrations: the database is newer than this version, by 1 migration\n')
    const status = await runHere(['migrate', '--status', '--json'], env)
    expect(JSON.parse(status.out)).toEqual({
      database: 'newer',
      pending: [],
      unknown: ['90000000000000_later'],
    })
  })
})

describe('a command in an empty database', LONG, () => {
  let url: string

  beforeAll(async () => {
    await queryAt(inject('adminUrl'), `CREATE DATABASE ${EMPTY}`)
    url = Object.assign(new URL(inject('adminUrl')), { pathname: EMPTY }).href
  })
  afterAll(() => queryAt(inject('adminUrl'), `DROP DATABASE ${EMPTY}`))

  it.each([
    ['doctor', ''],
    ['teams', 'list'],
    ['sign-in-link', '--json'],
    ['migrate', '--status'],
  ])('%s %s makes no table', async (...words) => {
    const { out, err } = await runHere(
      words.filter((word) => word !== ''),
      { DATABASE_URL: url },
    )
    expect(out + err).toMatch(/the database has no tables|database: older/)
    expect(await queryAt(url, 'SELECT FROM pg_tables WHERE schemaname !~ $$^(pg_|inf)$$')).toEqual(
      [],
    )
  })
})
