// Checks PostgreSQL: whether a crash loses payments, whether it has enough space and connections,
// and whether another session, autovacuum or a replication slot causes trouble.

import { counted } from '../core/counts.ts'
import { sentenceOf } from '../core/sentence.ts'
import { after, MINUTE } from '../core/time-units.ts'
import { isUnverified, UNVERIFIED_REMEDY } from '../core/unverified.ts'
import { connectionShares } from '../db/database.ts'
import { DATABASE_FULL, isDiskFull } from '../db/failure.ts'
import { FOREIGN, schemaState } from '../db/migrate.ts'
import { isStandbyOfPrimary } from '../db/replica.ts'
import { listProcesses } from '../upkeep/keep-heartbeat.ts'
import { lapse } from '../upkeep/shown-figures.ts'
import type { World } from '../world.ts'
import { type Check, fault, type Problem, warning } from './check.ts'

/** Before those that read our tables, which may lack what a pending migration adds. */
export const checkMigrations: Check = async ({ db }) => {
  const { pending, unknown, isEmpty, isForeign } = await schemaState(db.query)
  const subject = 'migrations'
  if (isForeign) return { subject, problems: [fault(FOREIGN, 'Correct DATABASE_URL.')] }
  const problems = [
    pending.length > 0 &&
      warning(
        isEmpty
          ? 'the database has no tables'
          : `${counted(pending.length, 'migration is', 'migrations are')} pending`,
        'A process of this version applies them when it starts; or lamplighter migrate.',
      ),
    unknown.length > 0 &&
      warning(
        `the database is newer than this version, by ${counted(unknown.length, 'migration')}`,
        'Use the newer version: no process of this one starts any more.',
      ),
  ]
  return { subject, ok: 'up to date', problems }
}

/** A round trip within one data centre takes a millisecond, and each payment makes several. */
const SLOW_MS = 20

/** The version of the tests, of the embedded PostgreSQL and of `docker-compose.yml`. */
const OLDEST_MAJOR = 18

const DATABASE = `
  SELECT current_setting('server_version') AS version,
    current_setting('server_version_num')::integer / 10000 AS major,
    current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS pages, pg_is_in_recovery() AS is_standby,
    current_setting('synchronous_commit') AS commits,
    current_setting('default_transaction_read_only') AS only_reads,
    pg_size_pretty(pg_database_size(current_database())) AS size`

export const checkDatabase: Check = async (world) => {
  const [facts = {}] = await world.db.query(DATABASE)
  const { version, major, size, fsync, pages, commits, is_standby: isStandby } = facts
  const ms = await quickestMs(world)
  const problems = [
    major < OLDEST_MAJOR &&
      warning(
        `it is PostgreSQL ${version}: the service is tested with PostgreSQL ${OLDEST_MAJOR}`,
        `Upgrade the server to PostgreSQL ${OLDEST_MAJOR}.`,
      ),
    ms > SLOW_MS &&
      warning(
        `takes ${Math.round(ms)} ms to answer a question that costs nothing`,
        'Put the service next to its database, or see what keeps the database busy.',
      ),
    isStandby &&
      fault('it is a standby, which accepts no writes', 'Let DATABASE_URL name the primary.'),
    facts.only_reads === 'on' &&
      fault(
        'default_transaction_read_only is on: nothing can be written',
        'See who set it and why, as some providers do when a disk is nearly full; then ' +
          'ALTER DATABASE … RESET default_transaction_read_only; also see ALTER ROLE and ALTER SYSTEM.',
      ),
    (fsync !== 'on' || pages !== 'on') &&
      fault(
        `fsync is ${fsync}, full_page_writes is ${pages}: a machine that loses power may lose all`,
        'ALTER SYSTEM SET fsync = on; ALTER SYSTEM SET full_page_writes = on; and restart it.',
      ),
    commits === 'off' &&
      fault(
        'synchronous_commit is off: a crash forgets payments that were answered just before',
        'ALTER SYSTEM RESET synchronous_commit; also see ALTER ROLE and ALTER DATABASE.',
      ),
    !isStandby &&
      (await isFull(world)) &&
      fault(
        `${DATABASE_FULL}: nothing that needs space can be written`,
        'Free space or enlarge the disk: no restart is needed. Never empty pg_wal by hand.',
      ),
  ]
  const ok = `PostgreSQL ${version}, ${size}`
  return { subject: 'database', ok, problems }
}

async function quickestMs({ db }: World): Promise<number> {
  const tookMs: number[] = []
  for (let i = 0; i < 3; i += 1) {
    const beforeMs = performance.now()
    await db.query('SELECT 1')
    tookMs.push(performance.now() - beforeMs)
  }
  return Math.min(...tookMs)
}

/** Needs more than the free pages that a small table keeps, and leaves nothing behind. */
const WRITE = 'CREATE TEMP TABLE room ON COMMIT DROP AS SELECT generate_series(1, 10000)'

/** A role that may make no temporary table says nothing about the disk. */
function isFull({ db }: World): Promise<boolean> {
  return db.query(WRITE).then(() => false, isDiskFull)
}

/** A share of all connections. Beyond it the next process may find none. */
const MOST_IN_USE = 0.8

const CONNECTIONS = `
  SELECT current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer AS most,
    (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`

export const checkConnections: Check = async (world) => {
  const [{ most = 0, used = 0 } = {}] = await world.db.query(CONNECTIONS)
  const { hot, other, queues } = connectionShares(world.config.databaseConnections)
  const each = hot + other + (world.queues.engine.kind === 'postgres' ? queues : 0)
  const running = (await listProcesses(world)).length
  const problems = [
    used > most * MOST_IN_USE &&
      fault(
        `${used} of ${most} are in use: the next process may find none`,
        'Raise max_connections, or run fewer processes: a pooler between would not work.',
      ),
    running * each > most &&
      warning(
        `${counted(running, 'process', 'processes')} may want ${running * each} of ${most}`,
        `Raise max_connections to ${(running + 1) * each} or more, or lower DATABASE_CONNECTIONS.`,
      ),
  ]
  const ok = `${used} of ${most} in use; a process takes up to ${each}`
  return { subject: 'connections', ok, problems }
}

/** No transaction of ours takes longer than 30 s, or is idle for longer than 10 s. */
const LONG_TRANSACTION_MS = MINUTE

const LONG_TRANSACTIONS = `
  SELECT pid, application_name AS name, state LIKE 'idle in transaction%' AS is_idle,
    xact_start AS since,
    (SELECT count(*)::integer FROM pg_stat_activity w WHERE a.pid = ANY (pg_blocking_pids(w.pid)))
      AS waiters
  FROM pg_stat_activity a
  WHERE datname = current_database() AND backend_type = 'client backend'
    AND pid <> pg_backend_pid() AND xact_start < $1
  ORDER BY xact_start`

/** An open transaction keeps its locks, and keeps autovacuum from every table's dead rows. */
export const checkSessions: Check = async ({ db, clock }) => {
  const now = clock.now()
  const rows = await db.query(LONG_TRANSACTIONS, [after(now, -LONG_TRANSACTION_MS)])
  const problems = rows.map(({ pid, name, is_idle: isIdle, since, waiters }) => {
    const what = isIdle ? 'has been idle in a transaction' : 'has been in one transaction'
    const age = lapse(now.getTime() - since.getTime())
    const held = waiters > 0 ? `, and ${counted(waiters, 'other waits', 'others wait')} for it` : ''
    return (isIdle || waiters > 0 ? fault : warning)(
      `session ${pid} (${name || 'without a name'}) ${what} for ${age}${held}`,
      `See it in pg_stat_activity; SELECT pg_terminate_backend(${pid}); ends it.`,
    )
  })
  return { subject: 'sessions', ok: 'no transaction is open for long', problems }
}

/** With more dead rows than living ones, autovacuum should have run long ago. */
const DEAD_ROWS = `
  SELECT relname AS name, n_dead_tup AS dead, n_live_tup AS live, last_autovacuum AS vacuumed
  FROM pg_stat_user_tables WHERE n_dead_tup > 100000 AND n_dead_tup > n_live_tup
  ORDER BY n_dead_tup DESC`

/** Those of a restored dump, until autovacuum reaches them. */
const WITHOUT_STATISTICS = `
  SELECT relname AS name FROM pg_class c
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > $1
    AND NOT EXISTS (SELECT FROM pg_stats WHERE schemaname = 'public' AND tablename = c.relname)
  ORDER BY pg_relation_size(oid) DESC`

/** Below this size it matters little how a table is read. */
const LARGE_BYTES = 50_000_000

export const checkTables: Check = ({ db }) => tablesBeyond(db, LARGE_BYTES)

export async function tablesBeyond({ query }: Pick<World['db'], 'query'>, largeBytes: number) {
  const dead = (await query(DEAD_ROWS)).map(({ name, dead, live, vacuumed }) => {
    const last = vacuumed?.toISOString() ?? 'never'
    return warning(
      `${name} has ${dead} dead rows beside ${live} living ones; last autovacuum: ${last}`,
      `VACUUM (ANALYZE) ${name}; and see that autovacuum is on, and no session is open for long.`,
    )
  })
  const unknown = (await query(WITHOUT_STATISTICS, [largeBytes])).map(({ name }) =>
    warning(
      `${name} has no statistics, so PostgreSQL may read all of it for a few rows`,
      `ANALYZE ${name};`,
    ),
  )
  return { subject: 'tables', ok: 'autovacuum keeps up', problems: [...dead, ...unknown] }
}

/** A slot whose reader has gone away fills the disk within days. */
const MOST_WAL_BYTES = 2_000_000_000

const LAGGING_SLOTS = `
  SELECT name, active, pg_size_pretty(bytes) AS size FROM (
    SELECT slot_name AS name, active, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) AS bytes
    FROM pg_replication_slots WHERE NOT pg_is_in_recovery()
  ) slot
  WHERE bytes > $1 ORDER BY bytes DESC`

export const checkReplicationSlots: Check = ({ db }) => slotsBeyond(db, MOST_WAL_BYTES)

export async function slotsBeyond({ query }: Pick<World['db'], 'query'>, mostBytes: number) {
  const problems = (await query(LAGGING_SLOTS, [mostBytes])).map(({ name, active, size }) =>
    (active ? warning : fault)(
      `${name} holds back ${size} of WAL, and ${active ? 'its reader lags' : 'has no reader'}`,
      `Start its reader, or SELECT pg_drop_replication_slot('${name}');`,
    ),
  )
  return { subject: 'replication slots', problems }
}

/** Three seconds of a busy installation. */
const FAR_BEHIND_BYTES = 20_000_000

const STANDBY = 'Let READ_DATABASE_URL name a standby of DATABASE_URL, or unset it.'

function awayFor(error: unknown): Problem {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const why = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : ''
  return warning(
    `it is away, so the primary answers lists and files${why}`,
    isUnverified(cause) ? sentenceOf(UNVERIFIED_REMEDY) : STANDBY,
  )
}

export const checkReplica: Check = async ({ replica }) => {
  if (replica === undefined) return { subject: 'replica for reads', problems: [] }
  const look = await replica.look().catch(awayFor)
  if ('state' in look) return { subject: 'replica for reads', problems: [look] }
  const { isSameDatabase, isStandby, followsPrimary, behindBytes } = look
  const behind = `${counted(behindBytes, 'byte', 'bytes')} of the log behind`
  const problems = [
    !isSameDatabase && fault('it holds another database, and is not read', STANDBY),
    isSameDatabase &&
      !isStandby &&
      warning('it takes writes, and is not read: it was promoted, or is the primary', STANDBY),
    isSameDatabase &&
      isStandby &&
      !followsPrimary &&
      warning(
        'it follows another primary than DATABASE_URL, or did until its last checkpoint: not read',
        'Point it to the present primary, then CHECKPOINT; on both.',
      ),
    isStandbyOfPrimary(look) &&
      behindBytes > FAR_BEHIND_BYTES &&
      warning(`it is ${behind}, so the primary answers`, 'See pg_stat_replication on the primary.'),
  ]
  return { subject: 'replica for reads', ok: behind, problems }
}
