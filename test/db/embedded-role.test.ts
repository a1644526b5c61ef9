// The service uses its own PostgreSQL with a role that owns its database and nothing else, also in
// folders of earlier versions.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EmbeddedServer } from '../../src/db/embedded/index.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrateQueues } from '../../src/queue/postgres-engine.ts'
import {
  emptyFolder,
  lamps,
  light,
  madeFolder,
  makeOnce,
  openFolder,
  queryServer,
  removeMade,
} from './embedded-rig.ts'

beforeAll(makeOnce, 60_000)
afterAll(removeMade)

const WHOSE = `
  SELECT DISTINCT c.relowner::regrole::text AS owner
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relkind IN ('r', 'S', 'v')`

describe('the role of the service', { timeout: 60_000 }, () => {
  it('is no superuser, and cannot become one', async () => {
    const server = await openFolder(madeFolder())
    expect(new URL(server.url).username).toBe('lamplighter')
    const [role] = await queryServer(server, 'SELECT * FROM pg_roles WHERE rolname = current_user')
    expect(role).toMatchObject({
      rolname: 'lamplighter',
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
    })
    expect(
      await queryServer(server, 'SELECT FROM pg_auth_members WHERE member = current_user::regrole'),
    ).toEqual([])
    for (const forbidden of [
      "COPY (SELECT 1) TO PROGRAM 'true'",
      "SELECT pg_read_file('PG_VERSION')",
      "ALTER SYSTEM SET log_statement = 'all'",
      'SET ROLE postgres',
      'CREATE EXTENSION file_fdw',
      'SELECT * FROM pg_authid',
    ]) {
      await expect(queryServer(server, forbidden), forbidden).rejects.toMatchObject({
        code: '42501',
      })
    }
  })

  it('migrates its database itself, with the queues', async () => {
    const server = await openFolder(await emptyFolder())
    expect((await migrate(server.url)).length).toBeGreaterThan(10)
    await migrateQueues(server.url)
    expect(await queryServer(server, WHOSE)).toEqual([{ owner: 'lamplighter' }])
  })

  it('is used by a second process too, which starts nothing', async () => {
    const folder = madeFolder()
    const [owner, guest] = [await openFolder(folder), await openFolder(folder, 'guest')]
    expect([guest.owned, guest.url]).toEqual([false, owner.url])
    expect(await queryServer(guest, 'SELECT current_user AS name')).toEqual([
      { name: 'lamplighter' },
    ])
  })
})

describe('a folder of an earlier version', { timeout: 120_000 }, () => {
  it('is handed over once, with everything in it', async () => {
    const folder = await emptyFolder()
    const before = await openFolder(folder)
    await forgetRole(before)
    await migrate(before.superuserUrl)
    await migrateQueues(before.superuserUrl)
    await queryServer({ url: before.superuserUrl }, 'CREATE TABLE lamp (name text)')
    await light({ url: before.superuserUrl }, 'old')
    await before.stop()

    const after = await openFolder(folder)
    expect(await queryServer(after, WHOSE)).toEqual([{ owner: 'lamplighter' }])
    expect(await lamps(after)).toEqual(['old'])
    // Only an owner can do this to tables, types, functions, schemas and the database.
    await queryServer(after, 'ALTER TABLE transaction ADD COLUMN tried integer')
    await queryServer(after, "ALTER TYPE team_status ADD VALUE 'tried'")
    await queryServer(after, 'DROP SCHEMA bullmq CASCADE')
    await queryServer(after, 'ALTER DATABASE lamplighter SET work_mem = 8192')
    const functions = `
      SELECT count(*)::integer AS count FROM pg_proc p
      WHERE pronamespace = 'public'::regnamespace AND proowner <> 'lamplighter'::regrole
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')`
    expect(await queryServer(after, functions)).toEqual([{ count: 0 }])
  })

  it('is handed over by the process that joins its server, while that version still runs', async () => {
    const folder = await emptyFolder()
    const owner = await openFolder(folder)
    await forgetRole(owner)
    await queryServer({ url: owner.superuserUrl }, 'CREATE TABLE lamp (name text)')
    const guests = await Promise.all(Array.from({ length: 4 }, () => openFolder(folder, 'guest')))
    for (const guest of guests) await light(guest, 'new')
    await light({ url: owner.superuserUrl }, 'old')
    expect(await lamps(owner)).toHaveLength(5)
  })

  it('is handed over again after that version made something more', async () => {
    const folder = madeFolder()
    const before = await openFolder(folder)
    await queryServer({ url: before.superuserUrl }, 'CREATE TABLE more (id serial PRIMARY KEY)')
    await before.stop()
    const after = await openFolder(folder)
    await queryServer(after, 'INSERT INTO more DEFAULT VALUES')
    await queryServer(after, 'DROP TABLE more')
  })
})

/** Restores the state before there was a role. */
async function forgetRole({ superuserUrl }: EmbeddedServer): Promise<void> {
  await queryServer({ url: superuserUrl }, 'ALTER DATABASE lamplighter OWNER TO postgres')
  await queryServer({ url: superuserUrl }, 'DROP ROLE lamplighter')
}
