import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { diagnose, toSchemaFromMigrations } from '../../scripts/schema/differences.ts'
import { FOREIGN, MigrationError, migrate } from '../../src/db/migrate.ts'
import { freshDatabase } from '../support/postgres.ts'

const PRISMA = join(import.meta.dirname, '../../prisma')

describe('migrating', () => {
  let url: string
  let folder: string

  // It has all migrations of PRISMA: a test that adds some has only these to wait for.
  beforeEach(async () => {
    const database = await freshDatabase()
    url = database.url
    folder = await mkdtemp(join(tmpdir(), 'lamplighter-migrations-'))
    await cp(PRISMA, folder, { recursive: true })
    onTestFinished(async () => {
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    })
  })

  async function useEmptyDatabase(): Promise<void> {
    const name = `migrate_${randomBytes(6).toString('hex')}`
    await query(inject('adminUrl'), `CREATE DATABASE ${name}`)
    url = Object.assign(new URL(inject('adminUrl')), { pathname: name }).href
  }

  const run = () => migrate(url, join(folder, 'migrations'))

  const ledger = async () =>
    (
      await query<{ name: string }>(url, 'SELECT migration_name AS name FROM _prisma_migrations')
    ).map(({ name }) => name)

  async function add(name: string, sql: string): Promise<void> {
    await mkdir(join(folder, 'migrations', name), { recursive: true })
    await writeFile(join(folder, 'migrations', name, 'migration.sql'), sql)
  }

  it('applies all migrations to an empty database, in order, and then none', async () => {
    await useEmptyDatabase()
    const names = (await readdir(join(PRISMA, 'migrations'))).filter((name) => /^\d/.test(name))
    expect(await run()).toEqual(names.sort())
    expect(await run()).toEqual([])
  })

  it('has an hour for a statement, whatever limit the role or the database has', async () => {
    const name = new URL(url).pathname.slice(1)
    await query(url, `ALTER DATABASE ${name} SET statement_timeout = '200ms'`)
    await add('90000000000000_slow', 'SELECT pg_sleep(0.5)')
    expect(await run()).toEqual(['90000000000000_slow'])
  })

  it('by ten processes at once applies each migration once', async () => {
    await useEmptyDatabase()
    const applied = await Promise.all(Array.from({ length: 10 }, run))
    const names = applied.flat()
    expect(names.length).toBeGreaterThan(0)
    expect(names).toEqual([...new Set(names)])
  })

  it('refuses a migration that was edited after it was applied', async () => {
    await add('90000000000000_more', 'CREATE TABLE more ()')
    await run()
    await add('90000000000000_more', 'CREATE TABLE more (id integer)')
    await expect(run()).rejects.toThrow(/90000000000000_more was edited/)
  })

  it('refuses a database that is newer than this version', async () => {
    await add('90000000000000_more', 'CREATE TABLE more ()')
    await run()
    await rm(join(folder, 'migrations', '90000000000000_more'), { recursive: true })
    await expect(run()).rejects.toThrow(
      new MigrationError(
        'the database is newer than this version: it has 90000000000000_more; start the newer version',
      ),
    )
  })

  it('refuses the ledger of another program that uses Prisma', async () => {
    await query(url, `DELETE FROM _prisma_migrations WHERE migration_name > '20261121000000_house'`)
    await query(url, `UPDATE _prisma_migrations SET migration_name = '20230101000000_init'`)
    await expect(run()).rejects.toThrow(new MigrationError(FOREIGN))
  })

  it('says how many migrations of a newer version it does not know', async () => {
    const names = ['more', 'others', 'last'].map((name, n) => `9000000000000${n}_${name}`)
    for (const name of names) await add(name, 'SELECT 1')
    await run()
    for (const name of names) await rm(join(folder, 'migrations', name), { recursive: true })
    await expect(run()).rejects.toThrow(
      'it has 90000000000000_more and 2 later migrations; start the newer version',
    )
  })

  it('takes an index that was made before, under its name', async () => {
    await add('90000000000000_more', 'CREATE TABLE more (id integer)')
    await run()
    await query(url, 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS more_by_id ON more (id)')
    await add('90000000000001_index', '-- Why.\nCREATE UNIQUE INDEX more_by_id\n  ON more (id);')
    expect(await run()).toEqual(['90000000000001_index'])
    expect(await run()).toEqual([])
  })

  it('does not take an index that was left unfinished', async () => {
    await add('90000000000000_more', 'CREATE TABLE more (id integer)')
    await run()
    await query(url, 'INSERT INTO more VALUES (1), (1)')
    const make = 'CREATE UNIQUE INDEX CONCURRENTLY more_by_id ON more (id)'
    await expect(query(url, make)).rejects.toThrow('could not create unique index')
    await add('90000000000001_index', 'CREATE UNIQUE INDEX more_by_id ON more (id);')
    await expect(run()).rejects.toThrow(
      'nothing was migrated: the index more_by_id is not finished',
    )
    await query(url, 'DROP INDEX more_by_id; DELETE FROM more')
    expect(await run()).toEqual(['90000000000001_index'])
  })

  it('changes nothing while a dump reads the tables, and names it', async () => {
    await add('90000000000000_more', 'CREATE TABLE more (id integer)')
    await run()
    await add('90000000000001_less', 'ALTER TABLE more ADD COLUMN less integer')
    const dump = new pg.Client({ connectionString: url, application_name: 'pg_dump' })
    await dump.connect()
    await dump.query('BEGIN; SELECT FROM more')
    const pid = (await dump.query('SELECT pg_backend_pid() AS pid, pg_sleep(5.1)')).rows[0].pid
    await expect(migrate(url, join(folder, 'migrations'), 0)).rejects.toThrow(
      `nothing was migrated: pg_dump (pid ${pid}) has used tables since `,
    )
    const waiting = run()
    await dump.query('COMMIT')
    expect(await waiting).toEqual(['90000000000001_less'])
    await dump.end()
  })

  it('waits for a session of another role, though it is hidden since when it runs', async () => {
    await add('90000000000000_more', 'CREATE TABLE more (id integer)')
    const role = `role_${randomBytes(6).toString('hex')}`
    await query(url, `CREATE ROLE ${role} LOGIN PASSWORD 'none'`)
    await run()
    await query(url, `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`)
    await query(url, `GRANT ALL ON SCHEMA public TO ${role}; ALTER TABLE more OWNER TO ${role}`)
    const own = Object.assign(new URL(url), { username: role, password: 'none' }).href
    const runOwn = (mostWaitMs?: number) => migrate(own, join(folder, 'migrations'), mostWaitMs)
    await add('90000000000001_less', 'ALTER TABLE more ADD COLUMN less integer')
    const dump = new pg.Client({ connectionString: url, application_name: 'pg_dump' })
    await dump.connect()
    await dump.query('BEGIN; SELECT FROM more')
    await expect(runOwn(0)).rejects.toThrow(
      /^nothing was migrated: .* has used tables for some time/,
    )
    const waiting = runOwn()
    await dump.query('COMMIT')
    expect(await waiting).toEqual(['90000000000001_less'])
    await dump.end()
    await query(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`)
  })

  it('leaves nothing of a file that fails, names its line, and goes on once the file is corrected', async () => {
    await add('90000000000000_more', 'CREATE TABLE more ();\nSELECT 1;\nCREATE TABEL less ();')
    await expect(run()).rejects.toThrow(/90000000000000_more failed in line 3/)
    expect(await query(url, "SELECT to_regclass('more') AS made")).toEqual([{ made: null }])
    await add(
      '90000000000000_more',
      "CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $$ SELECT ';' $$",
    )
    expect(await run()).toEqual(['90000000000000_more'])
  })

  it('counts lines as PostgreSQL does, whatever characters come before', async () => {
    await add('90000000000000_more', '-- 🏮🏮🏮🏮\n\n\n\n\nCRAETE TABLE less ();')
    await expect(run()).rejects.toThrow(/failed in line 6/)
  })

  it('names the current file when the connection is lost', async () => {
    await add('90000000000000_more', 'SELECT pg_terminate_backend(pg_backend_pid())')
    await expect(run()).rejects.toThrow(/90000000000000_more failed: terminating connection/)
  })

  it('refuses a file that ends its transaction', async () => {
    await add('90000000000000_more', 'CREATE TABLE more (); COMMIT')
    await expect(run()).rejects.toThrow(/90000000000000_more ends the transaction/)
    expect(await ledger()).not.toContain('90000000000000_more')
  })

  it("does not count a migration that Prisma's tools left half done as applied, until that is resolved", async () => {
    await run()
    await add('90000000000000_more', 'CREATE TABLE more ()')
    await query(
      url,
      `INSERT INTO _prisma_migrations (id, checksum, migration_name)
       VALUES ('1', '', '90000000000000_more')`,
    )
    await expect(run()).rejects.toThrow(/90000000000000_more was begun/)
    await query(url, "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = '1'")
    expect(await run()).toEqual(['90000000000000_more'])
    expect(await run()).toEqual([])
  })

  it("keeps a ledger that Prisma's tools agree with", async () => {
    await useEmptyDatabase()
    await run()
    const allIsWell = {
      hasMigrationsTable: true,
      editedMigrationNames: [],
      failedMigrationNames: [],
      history: null,
    }
    expect(await diagnose(url, folder)).toMatchObject(allIsWell)
    await add('90000000000000_more', 'CREATE TABLE more ()')
    expect(await diagnose(url, folder)).toMatchObject({
      history: { unappliedMigrationNames: ['90000000000000_more'] },
    })
  })

  it('makes everything in public, though the role has a schema of its own', async () => {
    await useEmptyDatabase()
    await query(url, 'CREATE SCHEMA AUTHORIZATION CURRENT_USER')
    await run()
    const elsewhere = 'SELECT FROM pg_tables WHERE schemaname = current_user'
    expect(await query(url, elsewhere)).toEqual([])
    expect(await run()).toEqual([])
  })

  it('makes the declared schema, and the check reports objects that no migration makes', async () => {
    await useEmptyDatabase()
    expect(await toSchemaFromMigrations(url, folder)).toBe('')
    const model = 'model Extra {\n  id Int @id\n}\n'
    await writeFile(join(folder, 'schema.prisma'), model, { flag: 'a' })
    expect(await toSchemaFromMigrations(url, folder)).toContain('CREATE TABLE "Extra"')
  })
})

async function query<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
): Promise<readonly Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}
