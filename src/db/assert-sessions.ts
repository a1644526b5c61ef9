// Whether each of our connections is a session of its own. Prepared statements, the settings that
// connections begin with and LISTEN all live in sessions: behind a pooler that shares them between
// transactions a process would wait for ever for what it never hears, or read wrong instants. It is
// asked before anything depends on it.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import { classified, isReadOnly, sqlState } from './failure.ts'

/** One line that says why the database cannot be used as it is reached now. */
export class UnfitDatabase extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnfitDatabase'
  }
}

/** A session hears of a commit within milliseconds. */
const HEARD_MS = 5 * SECOND

const CONNECT_TIMEOUT_MS = 10 * SECOND

/** Any value that no server has as its own. */
const LOCK_TIMEOUT = '4321ms'

/** What a pooler answers to settings of a connection that it does not know. */
const PROTOCOL_VIOLATION = '08P01'

const REMEDY = 'connect to PostgreSQL directly, without PgBouncer or another pooler in between'

export async function assertSessions(databaseUrl: string): Promise<void> {
  const listener = openClient(databaseUrl)
  const teller = openClient(databaseUrl)
  try {
    await Promise.all([connect(listener), connect(teller)])
    await assertSettings(listener)
    await assertHeard(listener, teller)
  } finally {
    // What a pooler does with them is not waited for.
    for (const client of [listener, teller]) client.end().catch(() => {})
  }
}

function openClient(connectionString: string): pg.Client {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    statement_timeout: CONNECT_TIMEOUT_MS,
    options: `-c TimeZone=UTC -c lock_timeout=${LOCK_TIMEOUT}`,
  })
  client.on('error', () => {}) // the statement under way fails with it
  return client
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

async function assertHeard(listener: pg.Client, teller: pg.Client): Promise<void> {
  const channel = `lamplighter_probe_${randomBytes(8).toString('hex')}`
  const heard = new Promise((resolve) => listener.once('notification', resolve))
  try {
    await listener.query(`LISTEN "${channel}"`)
    await teller.query(`NOTIFY "${channel}"`)
  } catch (error) {
    // A standby hears nobody, and keeps its sessions all the same.
    if (isReadOnly(error)) return
    throw classified(error)
  }
  if (await isDoneWithin(HEARD_MS, heard)) return
  throw unfit('shares sessions between transactions, as a pooler with pool_mode = transaction does')
}

function unfit(why: string): UnfitDatabase {
  return new UnfitDatabase(`what DATABASE_URL leads to ${why}: ${REMEDY}`)
}
