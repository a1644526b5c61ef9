// Updates the database when a process starts. Ten processes may start at once: one applies the
// migrations, and the others wait and find nothing to do. The ledger is Prisma's own, so that its
// tools agree.

import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { counted } from '../core/counts.ts'
import { NamedError } from '../core/named-error.ts'
import { SECOND } from '../core/time-units.ts'
import { packageFolder } from '../package.ts'
import { withClient } from './client.ts'
import type { Query } from './database.ts'
import { isUndefined } from './failure.ts'

/**
 * The database and this version's migrations do not fit together, for a reason that fits in one
 * line.
 */
export class MigrationError extends NamedError {}

interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/** Prisma's own lock: its tools and this code wait for each other. */
const LOCK = 72_707_369

const LEDGER = `
  CREATE TABLE IF NOT EXISTS public._prisma_migrations (
    id varchar(36) PRIMARY KEY,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT current_timestamp,
    applied_steps_count integer NOT NULL DEFAULT 0
  )`

const APPLIED = `
  SELECT migration_name AS name, checksum FROM public._prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`

/** Our line is written with its migration or not at all. Prisma's tools write theirs before it. */
const HALF_DONE = `
  SELECT migration_name AS name FROM public._prisma_migrations
  WHERE finished_at IS NULL AND rolled_back_at IS NULL`

const RECORD = `
  INSERT INTO public._prisma_migrations
    (id, checksum, migration_name, finished_at, applied_steps_count)
  VALUES ($1, $2, $3, current_timestamp, 1)`

/**
 * Sessions that use our tables. A dump or a report does for long: a migration would wait for it,
 * and all other statements behind the migration. If it then failed, and others before it had not,
 * neither version would start. PostgreSQL hides from most roles since when the sessions of others
 * do. Its own workers, which have no user, give way.
 */
const SESSIONS = `
  SELECT a.pid, a.application_name AS name, to_char(a.xact_start, 'HH24:MI:SS TZ') AS since,
    a.xact_start < clock_timestamp() - $1 * interval '1 second' AS is_long
  FROM pg_stat_activity a
  WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.usesysid IS NOT NULL
    AND EXISTS (
      SELECT FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
      WHERE l.pid = a.pid AND l.granted AND c.relkind = 'r'
        AND c.relnamespace = 'public'::regnamespace
    )
  ORDER BY a.xact_start`

const LONG_SECONDS = 5

/** How long the first migration waits for such sessions, without a lock. */
const MOST_WAIT_MS = 30 * SECOND

/**
 * Prisma's client uses only the schema `public`, but a role with a schema of its own would write
 * there. The time limit is for sessions that began after the check above.
 */
const BEGIN = "BEGIN; SET LOCAL search_path = public; SET LOCAL lock_timeout = '10s'"

/** PostgreSQL's status of an open transaction without a failure. */
const IN_TRANSACTION = 'T'

/** How the migrations of this version and those of a database differ, by their names. */
export interface SchemaState {
  /** Not applied yet. */
  readonly pending: readonly string[]
  /** Applied by a newer version. */
  readonly unknown: readonly string[]
  readonly isEmpty: boolean
  /** The ledger is that of another program which uses Prisma. */
  readonly isForeign: boolean
}

/** Only reads. */
export async function schemaState(query: Query): Promise<SchemaState> {
  const migrations = await readMigrations(migrationsFolder())
  const applied = await appliedOnes(query)
  return {
    pending: notApplied(migrations, applied).map(({ name }) => name),
    unknown: unknownOnes(migrations, applied),
    isEmpty: applied.size === 0,
    isForeign: isForeign(migrations, applied),
  }
}

export const FOREIGN =
  'the database has the tables of another program that uses Prisma: give Lamplighter its own'

function isForeign(migrations: readonly Migration[], applied: Applied): boolean {
  return applied.size > 0 && !migrations.some(({ name }) => applied.has(name))
}

export function readSchemaState(databaseUrl: string): Promise<SchemaState> {
  return withClient(databaseUrl, (client) => schemaState(queryOf(client)))
}

/**
 * For commands, which migrate nothing: while processes of an older version run, one that restarts
 * would no longer start.
 */
export async function assertMigrated(
  databaseUrl: string,
  wanted: 'exactly' | 'at least',
): Promise<void> {
  const { pending, unknown, isEmpty, isForeign } = await readSchemaState(databaseUrl)
  if (isForeign) throw new MigrationError(FOREIGN)
  const ways = 'lamplighter migrate, or a process of this version that starts'
  if (isEmpty) throw new MigrationError(`the database has no tables: ${ways}, makes them`)
  if (pending.length > 0) {
    const count = counted(pending.length, 'migration is', 'migrations are')
    throw new MigrationError(
      `the database is older than this version: ${count} pending; ${ways}, applies them`,
    )
  }
  if (wanted === 'exactly') refuseNewer(unknown)
}

/** Returns the names of the migrations that this call applied. */
export async function migrate(
  databaseUrl: string,
  folder = migrationsFolder(),
  mostWaitMs = MOST_WAIT_MS,
): Promise<readonly string[]> {
  const migrations = await readMigrations(folder)
  return withClient(databaseUrl, async (client) => {
    // Usually there is nothing to do; then the start costs one query.
    if ((await missing(client, migrations)).length === 0) return []
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    await client.query(LEDGER)
    await refuseHalfDone(client)
    const pending = await missing(client, migrations)
    if (pending.length > 0) {
      await refuseUnfinishedIndex(client)
      await awaitLongSessions(client, mostWaitMs)
    }
    for (const migration of pending) await apply(client, migration)
    return pending.map(({ name }) => name)
  })
}

/**
 * Checked under the lock. Without it, half done may only mean that another process is applying it.
 */
async function refuseHalfDone(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(HALF_DONE)
  const [first] = rows
  if (first === undefined) return
  throw new MigrationError(
    `${first.name} was begun by Prisma's tools and not finished: see prisma migrate resolve`,
  )
}

/** A `CREATE INDEX CONCURRENTLY` that fails leaves one behind, which finds and refuses nothing. */
const UNFINISHED_INDEX = `
  SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE NOT i.indisvalid AND c.relnamespace = 'public'::regnamespace LIMIT 1`

async function refuseUnfinishedIndex(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(UNFINISHED_INDEX)
  const [found] = rows
  if (found === undefined) return
  const then = 'wait for it, or drop it and start again'
  throw new MigrationError(`nothing was migrated: the index ${found.name} is not finished; ${then}`)
}

/** A session whose time is hidden may be long, so it is waited for as well. */
async function awaitLongSessions(client: pg.Client, mostWaitMs: number): Promise<void> {
  for (const startedMs = performance.now(); ; ) {
    const { rows } = await client.query(SESSIONS, [LONG_SECONDS])
    const found = rows.find(({ is_long }) => is_long !== false)
    if (found === undefined) return
    if (performance.now() - startedMs >= mostWaitMs) {
      const session = `${found.name || 'a session'} (pid ${found.pid})`
      const since = found.since === null ? 'for some time' : `since ${found.since}`
      throw new MigrationError(
        `nothing was migrated: ${session} has used tables ${since}; start again once it has ended`,
      )
    }
    await delay(SECOND)
  }
}

async function missing(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const applied = await appliedOnes(queryOf(client))
  if (isForeign(migrations, applied)) throw new MigrationError(FOREIGN)
  refuseNewer(unknownOnes(migrations, applied))
  for (const { name, checksum } of migrations) {
    if ((applied.get(name) ?? checksum) !== checksum) {
      throw new MigrationError(`${name} was edited after it was applied: undo that, add another`)
    }
  }
  return notApplied(migrations, applied)
}

/** The checksums of the files, by the names of the migrations in the ledger. */
type Applied = ReadonlyMap<string, string>

function notApplied(migrations: readonly Migration[], applied: Applied): readonly Migration[] {
  return migrations.filter(({ name }) => !applied.has(name))
}

function unknownOnes(migrations: readonly Migration[], applied: Applied): readonly string[] {
  const known = new Set(migrations.map(({ name }) => name))
  return [...applied.keys()].filter((name) => !known.has(name)).sort()
}

function refuseNewer([first, ...more]: readonly string[]): void {
  if (first === undefined) return
  const others = more.length === 0 ? '' : ` and ${counted(more.length, 'later migration')}`
  throw new MigrationError(
    `the database is newer than this version: it has ${first}${others}; start the newer version`,
  )
}

async function appliedOnes(query: Query): Promise<Applied> {
  try {
    return new Map((await query(APPLIED)).map(({ name, checksum }) => [name, checksum]))
  } catch (error) {
    if (isUndefined(error)) return new Map()
    throw error
  }
}

function queryOf(client: pg.Client): Query {
  return async (text, values = []) => (await client.query(text, [...values])).rows
}

/** Runs the whole file and writes its line in the ledger, or neither. */
async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query(BEGIN)
    await client.query(withIndexesMadeBefore(sql))
    if (client.getTransactionStatus() !== IN_TRANSACTION) {
      throw new MigrationError(`${name} ends the transaction that it runs in: let it not`)
    }
    await client.query(RECORD, [randomUUID(), checksum, name])
    await client.query('COMMIT')
  } catch (error) {
    // If the connection is lost, there is nothing left to roll back.
    await client.query('ROLLBACK').catch(() => {})
    if (!(error instanceof pg.DatabaseError)) throw error
    throw new MigrationError(`${name} failed${lineOf(sql, error.position)}: ${error.message}`)
  }
}

/** An operator may have made an index before, since one on a large table would block writers. */
function withIndexesMadeBefore(sql: string): string {
  return sql.replace(/^(CREATE (?:UNIQUE )?INDEX) (?!IF NOT EXISTS|ON )/gim, '$1 IF NOT EXISTS ')
}

function lineOf(sql: string, position: string | undefined): string {
  if (position === undefined) return ''
  // PostgreSQL counts characters; JavaScript counts some of them twice.
  const before = Array.from(sql).slice(0, Number(position))
  return ` in line ${before.filter((character) => character === '\n').length + 1}`
}

async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Beside package.json, both from source and when built. */
function migrationsFolder(): string {
  return join(packageFolder(), 'prisma', 'migrations')
}
