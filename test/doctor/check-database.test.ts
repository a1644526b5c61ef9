// The doctor's findings about PostgreSQL: each fault is a real one.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '../../src/core/time-units.ts'
import { DatabaseAway } from '../../src/db/failure.ts'
import { findingsOf } from '../../src/doctor/check.ts'
import {
  checkConnections,
  checkDatabase,
  checkReplicationSlots,
  checkSessions,
  checkTables,
  slotsBeyond,
  tablesBeyond,
} from '../../src/doctor/check-database.ts'
import { examine } from '../../src/doctor/examine.ts'
import type { World } from '../../src/world.ts'
import { soon } from '../support/soon.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
})
afterAll(() => service.close())

/** A world whose clock is this much later. */
const later = (ms: number): World => ({
  ...service.world,
  clock: { ...service.world.clock, now: () => new Date(Date.now() + ms) },
})

async function client(): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString: service.databaseUrl, application_name: 'slow' })
  opened.on('error', () => {}) // The doctor's own remedy ends it.
  await opened.connect()
  return opened
}

describe('the doctor', () => {
  it('goes on if a session has locked a table, and says so', async () => {
    const locking = await client()
    await locking.query('BEGIN; LOCK TABLE provider_pace IN ACCESS EXCLUSIVE MODE')
    try {
      const found = await examine(service.world)
      const locks = found.filter(({ subject }) => subject === 'locks')
      expect(locks.map(({ state, says }) => `${state} ${says}`)).toContain(
        'fault a check gave up, because another session has locked a table that it reads',
      )
      expect(found.map(({ subject }) => subject)).toContain('webhooks')
    } finally {
      await locking.query('ROLLBACK')
      await locking.end()
    }
  }, 60_000)

  it("finds a new database in order, except for the test server's trade of safety for speed", async () => {
    const checks = [
      checkDatabase,
      checkConnections,
      checkSessions,
      checkTables,
      checkReplicationSlots,
    ]
    const found = (
      await Promise.all(checks.map((check) => findingsOf(check, service.world)))
    ).flat()
    const [row] = await service.world.db.query(
      "SELECT current_setting('fsync') = 'off' AS is_fast, current_setting('server_version') AS version",
    )
    expect(found.filter(({ state }) => state !== 'ok').map(({ says }) => says)).toEqual(
      row?.is_fast ? [expect.stringMatching(/^fsync is off.*loses power/)] : [],
    )
    expect(found.map(({ subject }) => subject)).toEqual([
      'database',
      'connections',
      'sessions',
      'tables',
    ])
    expect(found[1]?.says).toMatch(/^\d+ of \d+ in use; a process takes up to \d+$/)
  })

  it('reports a server that is older than the version that is tested', async () => {
    const { db } = service.world
    const query: typeof db.query = async (text, values) => {
      const rows = await db.query(text, values)
      return /server_version_num/.test(text)
        ? rows.map((row) => ({ ...row, version: '15.20', major: 15 }))
        : rows
    }
    const found = await findingsOf(checkDatabase, { ...service.world, db: { ...db, query } })
    expect(found).toContainEqual({
      subject: 'database',
      state: 'warning',
      says: 'it is PostgreSQL 15.20: the service is tested with PostgreSQL 18',
      remedy: 'Upgrade the server to PostgreSQL 18.',
    })
  })

  it('reports a full disk, which no reading statement would notice', async () => {
    const { db } = service.world
    const full = Object.assign(new pg.DatabaseError('no room', 0, 'error'), { code: '53100' })
    const query: typeof db.query = async (text, values) => {
      if (/^\s*CREATE/.test(text)) throw new DatabaseAway(full)
      return db.query(text, values)
    }
    const found = await findingsOf(checkDatabase, { ...service.world, db: { ...db, query } })
    expect(found).toContainEqual(
      expect.objectContaining({
        subject: 'database',
        state: 'fault',
        says: expect.stringContaining("the database's disk is full"),
      }),
    )
  })

  it.each([
    ['synchronous_commit', 'off', 'commits that a crash loses'],
    ['default_transaction_read_only', 'on', 'a database that was made read-only'],
  ])('reports by %s = %s %s', async (setting, value) => {
    const name = new URL(service.databaseUrl).pathname.slice(1)
    await service.world.db.query(`ALTER DATABASE ${name} SET ${setting} = ${value}`)
    // A session that is already open keeps its settings.
    const own = await client()
    const query = async (text: string, values?: readonly unknown[]) =>
      (await own.query(text, [...(values ?? [])])).rows
    const db = { ...service.world.db, query }
    const found = await findingsOf(checkDatabase, { ...service.world, db })
    await own.end()
    await service.world.db.query(`ALTER DATABASE ${name} RESET ${setting}`)
    expect(found).toContainEqual({
      subject: 'database',
      state: 'fault',
      says: expect.stringContaining(`${setting} is ${value}`),
      remedy: expect.stringContaining(`RESET ${setting}`),
    })
  })

  it('reports a transaction that was left open, with its session and the waiting ones', async () => {
    const idle = await client()
    const waiting = await client()
    try {
      await idle.query('BEGIN')
      await idle.query('LOCK TABLE sms_opt_out')
      expect(await findingsOf(checkSessions, service.world)).toMatchObject([{ state: 'ok' }])
      const waits = waiting.query('SELECT FROM sms_opt_out').catch(() => {})
      const [pid] = (await idle.query('SELECT pg_backend_pid() AS pid')).rows
      await soon(async () => {
        const [first] = await findingsOf(checkSessions, later(3 * MINUTE))
        expect(first).toMatchObject({
          subject: 'sessions',
          state: 'fault',
          says: `session ${pid.pid} (slow) has been idle in a transaction for 3 minutes, and 1 other waits for it`,
          remedy: expect.stringContaining(`SELECT pg_terminate_backend(${pid.pid});`),
        })
      })
      await idle.query('ROLLBACK')
      await waits
    } finally {
      await Promise.all([idle.end(), waiting.end()])
    }
    expect(await findingsOf(checkSessions, later(3 * MINUTE))).toMatchObject([{ state: 'ok' }])
  })

  it('reports a table that autovacuum does not reach', async () => {
    const { query } = service.world.db
    await query('ALTER TABLE sms_opt_out SET (autovacuum_enabled = off)')
    await query(`INSERT INTO sms_opt_out SELECT '+1' || n, $1 FROM generate_series(1, 100001) n`, [
      new Date(),
    ])
    await query('DELETE FROM sms_opt_out')
    await soon(async () => {
      await query('SELECT pg_stat_force_next_flush()')
      expect(await findingsOf(checkTables, service.world)).toEqual([
        {
          subject: 'tables',
          state: 'warning',
          says: 'sms_opt_out has 100001 dead rows beside 0 living ones; last autovacuum: never',
          remedy: expect.stringMatching(/^VACUUM \(ANALYZE\) sms_opt_out;/),
        },
      ])
    })
    await query('VACUUM sms_opt_out')
    expect(await findingsOf(checkTables, service.world)).toMatchObject([{ state: 'ok' }])
  })

  it('reports a large table without statistics', async () => {
    const { query } = service.world.db
    await query('ALTER TABLE sms_opt_out SET (autovacuum_enabled = off)')
    await query(`INSERT INTO sms_opt_out SELECT '+1' || n, now() FROM generate_series(1, 1000) n`)
    const warned = {
      state: 'warning',
      says: 'sms_opt_out has no statistics, so PostgreSQL may read all of it for a few rows',
      remedy: 'ANALYZE sms_opt_out;',
    }
    expect((await tablesBeyond(service.world.db, 20_000)).problems).toContainEqual(warned)
    expect((await tablesBeyond(service.world.db, 1_000_000)).problems).toEqual([])
    await query('ANALYZE sms_opt_out')
    expect((await tablesBeyond(service.world.db, 20_000)).problems).not.toContainEqual(warned)
  })

  it('reports an unused replication slot, by the log that it holds back', async () => {
    const slot = `forgotten_${process.pid}`
    const { query } = service.world.db
    await query('SELECT pg_create_physical_replication_slot($1, true)', [slot])
    try {
      await query('CREATE TABLE written AS SELECT n FROM generate_series(1, 20000) n')
      const { problems } = await slotsBeyond(service.world.db, 100_000)
      expect(problems).toContainEqual({
        state: 'fault',
        says: expect.stringMatching(/ holds back \d+ (kB|MB|GB) of WAL, and has no reader$/),
        remedy: expect.stringContaining(`pg_drop_replication_slot('${slot}')`),
      })
    } finally {
      await query('SELECT pg_drop_replication_slot($1)', [slot])
    }
  })
})
