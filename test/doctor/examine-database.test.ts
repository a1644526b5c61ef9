// What the doctor says of PostgreSQL: each fault is a real one.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DatabaseAway } from '../../src/db/failure.ts'
import { examineClock } from '../../src/doctor/examine.ts'
import {
  examineDatabase,
  examineSessions,
  examineTables,
  versionFault,
} from '../../src/doctor/examine-database.ts'
import type { World } from '../../src/world.ts'
import { PATIENCE } from '../support/patience.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const MINUTE = 60_000

let service: TestService

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
})
afterAll(() => service.close())

/** As it would be after so long. */
const later = (ms: number): World => ({
  ...service.world,
  clock: { ...service.world.clock, now: () => new Date(Date.now() + ms) },
})

async function client(): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString: service.databaseUrl, application_name: 'slow' })
  opened.on('error', () => {}) // it is ended by the doctor's own remedy
  await opened.connect()
  return opened
}

describe('the doctor', () => {
  it('finds a new database well, but for what a server of tests gives up for speed', async () => {
    const found = await examineDatabase(service.world)
    const [row] = await service.world.db.query(
      "SELECT current_setting('fsync') = 'off' AS is_fast, current_setting('server_version') AS version",
    )
    expect(found.filter(({ state }) => state !== 'good').map(({ says }) => says)).toEqual(
      row?.is_fast ? [expect.stringMatching(/^fsync is off.*loses power/)] : [],
    )
    expect(found.map(({ subject }) => subject)).toEqual([
      'database',
      'connections',
      'sessions',
      'tables',
    ])
    expect(found.at(-1)?.says).toMatch(/^[\d.]+ MB, the largest tables: \w+ [\d.]+ kB, /)
    expect(found[1]?.says).toMatch(/^\d+ of \d+ in use; a process takes up to \d+$/)
  })

  it('minds a disk without room, which no statement that only reads would tell', async () => {
    const { db } = service.world
    const full = Object.assign(new pg.DatabaseError('no room', 0, 'error'), { code: '53100' })
    const query: typeof db.query = async (text, values) => {
      if (/^\s*CREATE/.test(text)) throw new DatabaseAway(full)
      return db.query(text, values)
    }
    const found = await examineDatabase({ ...service.world, db: { ...db, query } })
    expect(found).toContainEqual(
      expect.objectContaining({
        subject: 'database',
        state: 'bad',
        says: expect.stringContaining("the database's disk is full"),
      }),
    )
  })

  it.each([
    [140_012, '14.12', 'bad'],
    [150_000, '15.0', undefined],
    [180_004, '18.4', undefined],
  ])('minds a version that is too old: %i', (number, version, state) => {
    expect(versionFault(number, version)?.state).toBe(state)
  })

  it('minds commits that a crash forgets', async () => {
    const name = new URL(service.databaseUrl).pathname.slice(1)
    await service.world.db.query(`ALTER DATABASE ${name} SET synchronous_commit = off`)
    // A session that is open already stays as it was.
    const own = await client()
    const query = async (text: string, values?: readonly unknown[]) =>
      (await own.query(text, [...(values ?? [])])).rows
    const found = await examineDatabase({ ...service.world, db: { ...service.world.db, query } })
    await own.end()
    await service.world.db.query(`ALTER DATABASE ${name} RESET synchronous_commit`)
    expect(found).toContainEqual({
      subject: 'database',
      state: 'bad',
      says: expect.stringContaining('synchronous_commit is off'),
      remedy: expect.stringContaining('RESET synchronous_commit'),
    })
  })

  it('minds a transaction that somebody left open, and says who it is and who waits', async () => {
    const idle = await client()
    const waiting = await client()
    try {
      await idle.query('BEGIN')
      await idle.query('LOCK TABLE sms_opt_out')
      expect(await examineSessions(service.world)).toMatchObject([{ state: 'good' }])
      const waits = waiting.query('SELECT FROM sms_opt_out').catch(() => {})
      const [pid] = (await idle.query('SELECT pg_backend_pid() AS pid')).rows
      await vi.waitFor(async () => {
        const [first] = await examineSessions(later(3 * MINUTE))
        expect(first).toMatchObject({
          subject: 'sessions',
          state: 'bad',
          says: `session ${pid.pid} (slow) has been idle in a transaction for 3 minutes, and 1 other waits for it`,
          remedy: expect.stringContaining(`SELECT pg_terminate_backend(${pid.pid});`),
        })
      }, PATIENCE)
      await idle.query('ROLLBACK')
      await waits
    } finally {
      await Promise.all([idle.end(), waiting.end()])
    }
    expect(await examineSessions(later(3 * MINUTE))).toMatchObject([{ state: 'good' }])
  })

  it('minds a table that autovacuum does not come to', async () => {
    const { query } = service.world.db
    await query('ALTER TABLE sms_opt_out SET (autovacuum_enabled = off)')
    await query(
      `INSERT INTO sms_opt_out SELECT '+1202555' || n, $1 FROM generate_series(1000, 1999) n`,
      [new Date()],
    )
    await query('DELETE FROM sms_opt_out')
    await vi.waitFor(async () => {
      await query('SELECT pg_stat_force_next_flush()')
      expect(await examineTables(service.world, 500)).toEqual([
        {
          subject: 'tables',
          state: 'odd',
          says: 'sms_opt_out has 1000 dead rows beside 0 living ones; autovacuum came never',
          remedy: expect.stringMatching(/^VACUUM \(ANALYZE\) sms_opt_out;/),
        },
      ])
    }, PATIENCE)
    expect(await examineTables(service.world)).toMatchObject([{ state: 'good' }])
  })

  it('minds a replication slot that nobody reads, by what it holds back', async () => {
    const slot = `forgotten_${process.pid}`
    const { query } = service.world.db
    await query('SELECT pg_create_physical_replication_slot($1, true)', [slot])
    try {
      await query('CREATE TABLE written AS SELECT n FROM generate_series(1, 20000) n')
      const found = await examineDatabase(service.world, 100_000)
      expect(found).toContainEqual({
        subject: `replication slot ${slot}`,
        state: 'bad',
        says: expect.stringMatching(/^holds back [\d.]+ (kB|MB|GB) of WAL, and has no reader$/),
        remedy: expect.stringContaining(`pg_drop_replication_slot('${slot}')`),
      })
    } finally {
      await query('SELECT pg_drop_replication_slot($1)', [slot])
    }
  })

  it('minds a clock that is off', async () => {
    expect(await examineClock(service.world)).toMatchObject([{ subject: 'clock', state: 'good' }])
    const clock = { ...service.world.clock, skewMs: () => -5_000 }
    expect(await examineClock({ ...service.world, clock })).toMatchObject([
      {
        state: 'bad',
        says: "this machine's is 5 seconds behind the database's",
        remedy: expect.any(String),
      },
    ])
  })
})
