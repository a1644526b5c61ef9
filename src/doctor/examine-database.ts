// Examines PostgreSQL: whether a crash can lose data, whether there is room for this service, and
// whether another session, autovacuum or a replication slot causes trouble.

import { after, MINUTE } from '../core/time-units.ts'
import { MOST_CONNECTIONS } from '../db/database.ts'
import { DATABASE_FULL, isDiskFull } from '../db/failure.ts'
import { MOST_QUEUE_CONNECTIONS } from '../queue/postgres-engine.ts'
import { listProcesses } from '../upkeep/keep-heartbeat.ts'
import { counted, lapse, size } from '../upkeep/words.ts'
import type { World } from '../world.ts'
import { bad, type Fault, type Finding, findingsOf, odd } from './finding.ts'

/** The migrations and BullMQ's backend need it. */
const OLDEST_MAJOR = 15

/** A share of all connections. Beyond it the next process may find none. */
const MOST_IN_USE = 0.8

/** A round trip within one data centre takes a millisecond, and each payment makes several. */
const SLOW_MS = 20

/** A slot whose reader has gone away fills the disk within days. */
export const MOST_WAL_BYTES = 2_000_000_000

/** No transaction of ours takes longer than 30 s, or is idle for longer than 10 s. */
const LONG_TRANSACTION_MS = MINUTE

/** With more dead rows than living ones, autovacuum should have run long ago. */
export const MANY_DEAD_ROWS = 100_000

/** PostgreSQL stops all writes at two thousand million. */
const OLD_TRANSACTIONS = 1_500_000_000

export async function examineDatabase(
  world: World,
  mostWalBytes = MOST_WAL_BYTES,
): Promise<readonly Finding[]> {
  const [facts = {}] = await world.db.query(FACTS)
  const { version, version_number, fsync, pages, commits, is_standby: isStandby } = facts
  return [
    ...findingsOf('database', `PostgreSQL ${version}, migrations up to date`, [
      versionFault(version_number, version),
      slowFault(await quickestMs(world)),
      bad(
        isStandby,
        'it is a standby, which accepts no writes',
        'Let DATABASE_URL name the primary, as with target_session_attrs=read-write.',
      ),
      bad(
        fsync !== 'on' || pages !== 'on',
        `fsync is ${fsync} and full_page_writes is ${pages}: a machine that loses power may lose every payment`,
        'ALTER SYSTEM SET fsync = on; ALTER SYSTEM SET full_page_writes = on; and restart it.',
      ),
      bad(
        commits === 'off',
        'synchronous_commit is off: a crash forgets payments that were answered a moment before',
        'ALTER SYSTEM RESET synchronous_commit; ALTER ROLE and ALTER DATABASE may set it as well.',
      ),
      bad(
        !isStandby && !(await hasRoom(world)),
        `${DATABASE_FULL}: nothing that needs room can be written`,
        'Make room, or give it a larger disk: it then goes on without a restart. Never empty pg_wal by hand.',
      ),
    ]),
    ...(await examineConnections(world, facts.most, facts.used)),
    ...(await examineSessions(world)),
    ...(await examineTables(world)),
    ...(await examineSlots(world, mostWalBytes)),
  ]
}

const FACTS = `
  SELECT current_setting('server_version') AS version,
    current_setting('server_version_num')::integer AS version_number,
    current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commits,
    current_setting('full_page_writes') AS pages, pg_is_in_recovery() AS is_standby,
    current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer AS most,
    (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`

export function versionFault(versionNumber: number, version: string): Fault | undefined {
  return bad(
    versionNumber < OLDEST_MAJOR * 10_000,
    `PostgreSQL ${version} is older than this service supports`,
    `Move to PostgreSQL ${OLDEST_MAJOR} or later; 18 is what it is tested with.`,
  )
}

function slowFault(ms: number): Fault | undefined {
  return odd(
    ms > SLOW_MS,
    `takes ${Math.round(ms)} ms to answer a question that costs nothing`,
    'Put the service next to its database, or see what keeps the database busy.',
  )
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

/** It needs more than the free pages that a small table keeps, and leaves nothing behind. */
const WRITE_SOMETHING = `
  CREATE TEMP TABLE room ON COMMIT DROP AS SELECT generate_series(1, 10000)`

/** A role that may make no temporary table, or a read-only database, says nothing about the disk. */
async function hasRoom({ db }: World): Promise<boolean> {
  return db.query(WRITE_SOMETHING).then(
    () => true,
    (error) => !isDiskFull(error),
  )
}

async function examineConnections(
  world: World,
  most: number,
  used: number,
): Promise<readonly Finding[]> {
  const ofQueues = world.queues.kind === 'postgres' ? MOST_QUEUE_CONNECTIONS : 0
  const each = MOST_CONNECTIONS + ofQueues
  const processes = (await listProcesses(world)).length
  const wanted = processes * each
  return findingsOf('connections', `${used} of ${most} in use; a process takes up to ${each}`, [
    bad(
      used > most * MOST_IN_USE,
      `${used} of ${most} are in use: the next process may find none`,
      'Raise max_connections, or run fewer processes: a pooler between would not work.',
    ),
    odd(
      wanted > most,
      `${counted(processes, 'process', 'processes')} of up to ${each} may want ${wanted} of ${most}`,
      `Raise max_connections to ${wanted + each} or more.`,
    ),
  ])
}

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
export async function examineSessions({ db, clock }: World): Promise<readonly Finding[]> {
  const now = clock.now()
  const rows = await db.query(LONG_TRANSACTIONS, [after(now, -LONG_TRANSACTION_MS)])
  const faults = rows.map(({ pid, name, is_idle, since, waiters }) => {
    const age = lapse(now.getTime() - since.getTime())
    const what = is_idle ? 'has been idle in a transaction' : 'has been in one transaction'
    const held = waiters > 0 ? `, and ${counted(waiters, 'other waits', 'others wait')} for it` : ''
    return (is_idle || waiters > 0 ? bad : odd)(
      true,
      `session ${pid} (${name || 'without a name'}) ${what} for ${age}${held}`,
      `See what it is about in pg_stat_activity; SELECT pg_terminate_backend(${pid}); ends it.`,
    )
  })
  return findingsOf('sessions', 'no transaction is open for long', faults)
}

const LARGEST_TABLES = `
  SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
  WHERE relkind IN ('r', 'p')
    AND relnamespace IN ('public'::regnamespace, to_regnamespace('bullmq'))
  ORDER BY bytes DESC LIMIT 3`

const DEAD_ROWS = `
  SELECT relname AS name, n_dead_tup::bigint AS dead, n_live_tup::bigint AS live, last_autovacuum
  FROM pg_stat_user_tables WHERE n_dead_tup > $1 AND n_dead_tup > n_live_tup
  ORDER BY n_dead_tup DESC`

const SIZE_AND_AGE = `
  SELECT pg_database_size(oid) AS bytes, age(datfrozenxid) AS age
  FROM pg_database WHERE datname = current_database()`

export async function examineTables(
  { db }: World,
  manyDeadRows = MANY_DEAD_ROWS,
): Promise<readonly Finding[]> {
  const largest = await db.query(LARGEST_TABLES)
  const lagging = await db.query(DEAD_ROWS, [manyDeadRows])
  const [whole] = await db.query(SIZE_AND_AGE)
  const parts = largest.map(({ name, bytes }) => `${name} ${size(Number(bytes))}`)
  const says = `${size(Number(whole?.bytes))}, the largest tables: ${parts.join(', ')}`
  return findingsOf('tables', says, [
    bad(
      whole?.age > OLD_TRANSACTIONS,
      `the oldest transaction that is not frozen is ${whole?.age} back: near 2,000,000,000 all writing ends`,
      'VACUUM (FREEZE) the database now, and find what keeps autovacuum from it.',
    ),
    ...lagging.map(({ name, dead, live, last_autovacuum: last }) =>
      odd(
        true,
        `${name} has ${dead} dead rows beside ${live} living ones; autovacuum came ${last === null ? 'never' : `last at ${last.toISOString()}`}`,
        `VACUUM (ANALYZE) ${name}; and see that autovacuum is on and no session above is open for long.`,
      ),
    ),
  ])
}

const LAGGING_SLOTS = `
  SELECT name, active, bytes FROM (
    SELECT slot_name AS name, active,
      pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint AS bytes
    FROM pg_replication_slots
    WHERE restart_lsn IS NOT NULL AND pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) > $1
  ) slot
  WHERE NOT pg_is_in_recovery() ORDER BY bytes DESC`

/** Says nothing while there is no slot, or each slot is read. */
async function examineSlots({ db }: World, mostBytes: number): Promise<readonly Finding[]> {
  const rows = await db.query(LAGGING_SLOTS, [mostBytes])
  return rows.map(({ name, active, bytes }) => ({
    subject: `replication slot ${name}`,
    state: active ? 'odd' : 'bad',
    says: `holds back ${size(Number(bytes))} of WAL, and ${active ? 'its reader lags' : 'has no reader'}`,
    remedy: `Start its reader, or SELECT pg_drop_replication_slot('${name}'); and set max_slot_wal_keep_size.`,
  }))
}
