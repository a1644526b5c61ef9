// What the doctor looks at of PostgreSQL: whether it keeps what it was given, has room for us, and
// is held up by nobody.

import { MOST_CONNECTIONS } from '../db/database.ts'
import { DATABASE_FULL, isDiskFull } from '../db/failure.ts'
import { MOST_QUEUE_CONNECTIONS } from '../queue/postgres-engine.ts'
import type { World } from '../world.ts'
import { examineSessions } from './examine-sessions.ts'
import { examineTables } from './examine-tables.ts'
import { bad, type Fault, type Finding, findingsOf, odd } from './finding.ts'
import { listProcesses } from './list-processes.ts'
import { counted, size } from './words.ts'

/** What the migrations and the backend of the queues are written for. */
const OLDEST_MAJOR = 15

/** Of all connections that may be made: beyond it the next process may find none. */
const MOST_IN_USE = 0.8

/** A network within one place takes a millisecond, and every payment makes some round trips. */
const SLOW_MS = 20

/** Held back for a reader who went away, it fills the disk in days, not hours. */
export const MOST_WAL_BYTES = 2_000_000_000

export async function examineDatabase(
  world: World,
  mostWalBytes = MOST_WAL_BYTES,
): Promise<readonly Finding[]> {
  const facts = await factsOf(world)
  return [
    ...findingsOf('database', `PostgreSQL ${facts.version}, migrations up to date`, [
      versionFault(facts.versionNumber, facts.version),
      await slowFault(world),
      ...durabilityFaults(facts),
      facts.isStandby ? undefined : await roomFault(world),
    ]),
    ...(await examineConnections(world, facts)),
    ...(await examineSessions(world)),
    ...(await examineTables(world)),
    ...(await examineSlots(world, mostWalBytes)),
  ]
}

interface Facts {
  readonly version: string
  readonly versionNumber: number
  readonly fsync: string
  readonly commits: string
  readonly pages: string
  readonly isStandby: boolean
  readonly most: number
  readonly used: number
}

const FACTS = `
  SELECT current_setting('server_version') AS version,
    current_setting('server_version_num')::integer AS version_number,
    current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commits,
    current_setting('full_page_writes') AS pages, pg_is_in_recovery() AS is_standby,
    current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer AS most,
    (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`

async function factsOf({ db }: World): Promise<Facts> {
  const [row] = await db.query(FACTS)
  return {
    version: row?.version,
    versionNumber: row?.version_number,
    fsync: row?.fsync,
    commits: row?.commits,
    pages: row?.pages,
    isStandby: row?.is_standby,
    most: row?.most,
    used: row?.used,
  }
}

export function versionFault(versionNumber: number, version: string): Fault | undefined {
  if (versionNumber >= OLDEST_MAJOR * 10_000) return undefined
  return bad(
    `PostgreSQL ${version} is older than the service is made for`,
    `Move to PostgreSQL ${OLDEST_MAJOR} or later; 18 is what it is tested with.`,
  )
}

async function slowFault({ db }: World): Promise<Fault | undefined> {
  let quickestMs = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i += 1) {
    const beforeMs = performance.now()
    await db.query('SELECT 1')
    quickestMs = Math.min(quickestMs, performance.now() - beforeMs)
  }
  if (quickestMs <= SLOW_MS) return undefined
  return odd(
    `takes ${Math.round(quickestMs)} ms to answer a question that costs nothing`,
    'Put the service next to its database, or see what keeps the database busy.',
  )
}

/** More than the free pages that a small table keeps, and nothing that stays. */
const WRITE_SOMETHING = `
  CREATE TEMP TABLE room ON COMMIT DROP AS SELECT generate_series(1, 10000)`

async function roomFault({ db }: World): Promise<Fault | undefined> {
  try {
    await db.query(WRITE_SOMETHING)
    return undefined
  } catch (error) {
    // A role that may make no temporary table, or a database that is read-only, is no full disk.
    if (!isDiskFull(error)) return undefined
    return bad(
      `${DATABASE_FULL}: nothing that needs room can be written`,
      'Make room, or give it a larger disk: it goes on by itself; pg_wal may never be emptied by hand.',
    )
  }
}

function durabilityFaults(facts: Facts): readonly (Fault | undefined)[] {
  return [
    facts.isStandby
      ? bad(
          'it is a standby, which nobody can write to',
          'Let DATABASE_URL name the primary, as with target_session_attrs=read-write.',
        )
      : undefined,
    facts.fsync === 'on' && facts.pages === 'on'
      ? undefined
      : bad(
          `fsync is ${facts.fsync} and full_page_writes is ${facts.pages}: a machine that loses power may lose every payment`,
          'ALTER SYSTEM SET fsync = on; ALTER SYSTEM SET full_page_writes = on; and restart it.',
        ),
    facts.commits === 'off'
      ? bad(
          'synchronous_commit is off: a crash forgets payments that were answered a moment before',
          'ALTER SYSTEM RESET synchronous_commit; ALTER ROLE and ALTER DATABASE may set it as well.',
        )
      : undefined,
  ]
}

async function examineConnections(
  world: World,
  { most, used }: Facts,
): Promise<readonly Finding[]> {
  const ofQueues = world.queues.kind === 'postgres' ? MOST_QUEUE_CONNECTIONS : 0
  const each = MOST_CONNECTIONS + ofQueues
  const processes = (await listProcesses(world)).length
  const wanted = processes * each
  const says = `${used} of ${most} in use; a process takes up to ${each}`
  return findingsOf('connections', says, [
    used > most * MOST_IN_USE
      ? bad(
          `${used} of ${most} are in use: whoever comes next may find none`,
          'Raise max_connections, or run fewer processes: a pooler between would not work.',
        )
      : undefined,
    wanted > most
      ? odd(
          `${counted(processes, 'process', 'processes')} of up to ${each} may want ${wanted} of ${most}`,
          `Raise max_connections to ${wanted + each} or more.`,
        )
      : undefined,
  ])
}

const SLOTS = `
  SELECT slot_name AS name, active,
    pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint AS bytes
  FROM pg_replication_slots
  WHERE restart_lsn IS NOT NULL AND pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) > $1
  ORDER BY bytes DESC`

/** Where there is none, or each is read, there is nothing to say. */
async function examineSlots({ db }: World, mostBytes: number): Promise<readonly Finding[]> {
  const rows = await db.query(`SELECT * FROM (${SLOTS}) s WHERE NOT pg_is_in_recovery()`, [
    mostBytes,
  ])
  return rows.map((row) => ({
    subject: `replication slot ${row.name}`,
    state: row.active ? 'odd' : 'bad',
    says: `holds back ${size(Number(row.bytes))} of WAL, and ${row.active ? 'its reader lags' : 'nobody reads it'}`,
    remedy: `Start its reader, or SELECT pg_drop_replication_slot('${row.name}'); and set max_slot_wal_keep_size.`,
  }))
}
