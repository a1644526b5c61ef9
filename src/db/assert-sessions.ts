// Checks that each of our connections is a session of its own. Prepared statements, connection
// settings and LISTEN all need sessions. Behind a pooler that shares sessions between transactions,
// a process would wait forever for a notification, or read wrong instants. So this runs before
// anything depends on it.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { NamedError } from '../core/named-error.ts'
import { SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import { systemCodeOf } from './embedded/files.ts'
import { classified, isReadOnly, sqlState } from './failure.ts'

/** One line that says why the database cannot be used at this address. */
export class UnfitDatabase extends NamedError {}

/** A session receives a notification within milliseconds of the commit. */
const HEARD_MS = 5 * SECOND

const CONNECT_TIMEOUT_MS = 10 * SECOND

/** A value that no server uses by default. */
const LOCK_TIMEOUT = '4321ms'

/** The answer of a pooler to connection settings that it does not know. */
const PROTOCOL_VIOLATION = '08P01'

const REMEDY = 'connect to PostgreSQL directly, without PgBouncer or another pooler in between'

export async function assertSessions(databaseUrl: string): Promise<void> {
  const listener = openClient(databaseUrl)
  const notifier = openClient(databaseUrl)
  try {
    await Promise.all([connect(listener), connect(notifier)])
    await assertSettings(listener)
    await assertHeard(listener, notifier)
  } finally {
    // Not awaited: a pooler may never answer.
    for (const client of [listener, notifier]) client.end().catch(() => {})
  }
}

function openClient(connectionString: string): pg.Client {
  const client = newClient({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    statement_timeout: CONNECT_TIMEOUT_MS,
    options: `-c TimeZone=UTC -c lock_timeout=${LOCK_TIMEOUT}`,
  })
  client.on('error', () => {}) // the statement under way fails with it
  return client
}

/** The driver reads the files of `sslrootcert`, `sslcert` and `sslkey` at once. */
function newClient(settings: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client(settings)
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error
    const { message } = error as Error
    throw new UnfitDatabase(`DATABASE_URL names a file that cannot be read: ${message}`)
  }
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    if (sqlState(error) !== PROTOCOL_VIOLATION) throw classified(error)
    throw unfit('refuses the settings that our connections begin with')
  }
}

async function assertSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`SELECT current_setting('lock_timeout') AS lock_timeout`)
  if (rows[0]?.lock_timeout !== LOCK_TIMEOUT) {
    throw unfit('drops the settings that our connections begin with')
  }
}

async function assertHeard(listener: pg.Client, notifier: pg.Client): Promise<void> {
  const channel = `lamplighter_probe_${randomBytes(8).toString('hex')}`
  const heard = new Promise((resolve) => listener.once('notification', resolve))
  try {
    await listener.query(`LISTEN "${channel}"`)
    await notifier.query(`NOTIFY "${channel}"`)
  } catch (error) {
    // A standby sends no notifications, but its sessions are real.
    if (isReadOnly(error)) return
    throw classified(error)
  }
  if (await isDoneWithin(HEARD_MS, heard)) return
  throw unfit('shares sessions between transactions, as a pooler with pool_mode = transaction does')
}

function unfit(why: string): UnfitDatabase {
  return new UnfitDatabase(`the server at DATABASE_URL ${why}: ${REMEDY}`)
}
