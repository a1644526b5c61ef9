// One pool of connections, shared by the hot statements and by Prisma.

import pg from 'pg'
import { SECOND } from '../core/time-units.ts'

/** A caller who would wait longer is better told that the database is away. */
const CONNECT_TIMEOUT_MS = 5 * SECOND

/**
 * Longer than any statement of ours takes, shorter than a caller's patience: a stuck one must not
 * hold its connection.
 */
const STATEMENT_TIMEOUT_MS = 30 * SECOND

/**
 * Between two statements of a commit pass milliseconds. Who says nothing for this long is frozen,
 * and must not keep a row from everybody else.
 */
const SILENT_COMMIT_MS = 10 * SECOND

/** Prisma's adapter reads and writes wrong instants in any other zone. */
const SETTINGS = { TimeZone: 'UTC' }

export interface PoolOptions {
  readonly most: number
  readonly name: string
  /** Run-time settings of every connection, beside ours. */
  readonly settings?: Readonly<Record<string, string>>
  readonly onError: (error: Error) => void
}

export function openPool(databaseUrl: string, options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: options.most,
    application_name: options.name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: SILENT_COMMIT_MS,
    keepAlive: true,
    options: optionsOf({ ...SETTINGS, ...options.settings }),
  })
  // An idle connection that breaks is replaced at its next use; unheard, its error would end the
  // process.
  pool.on('error', options.onError)
  // One that breaks while somebody has it, between two of his statements, is told by the next one.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

function optionsOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}
