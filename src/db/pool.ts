// A pool of connections that notices dead servers and standbys, and survives refused statements.

import pg from 'pg'
import { SECOND } from '../core/time-units.ts'
import { classified, isDatabaseAway, isReadOnly } from './failure.ts'
import { OWN_SETTINGS, optionsOf, type SessionSettings } from './session-settings.ts'
import { type SilentConnections, socketOf } from './silent-connections.ts'

/** A caller that would wait longer gets the error that the database is away. */
const CONNECT_TIMEOUT_MS = 5 * SECOND

/** A live server reports at once that it has cancelled a statement. */
const ANSWER_GRACE_MS = 3 * SECOND

/**
 * The others end after ten idle seconds. A charge after a quiet minute must not wait for a new one,
 * which has to read the catalogue and plan each statement first.
 */
const KEPT_OPEN = 2

/**
 * Milliseconds pass between two statements of a commit. A client that is silent for this long is
 * frozen, and must not keep its rows locked.
 */
const SILENT_COMMIT_MS = 10 * SECOND

const SETTINGS = {
  ...OWN_SETTINGS,
  // The server notices within 20 s that a client has vanished, and frees its locks. It sends no
  // keepalives while an answer is on its way: then the last of these settings counts.
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
  tcp_user_timeout: 20 * SECOND,
}

/** A date is the midnight of that day in UTC, as Prisma reads it; `pg` takes the host's midnight. */
const readDate = (text: string) => new Date(text)

const readAnyInstant = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text')

/** `2026-03-08 07:00:00.123456+00`. A row has many, and this takes half as long as `pg` does. */
function readInstant(text: string): Date | null {
  const isUsual = text[10] === ' ' && text.endsWith('+00')
  return isUsual ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : readAnyInstant(text)
}

const TYPES = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && oid === pg.types.builtins.DATE) return readDate
    if (format !== 'binary' && oid === pg.types.builtins.TIMESTAMPTZ) return readInstant
    return pg.types.getTypeParser(oid, format)
  }) as typeof pg.types.getTypeParser,
}

export interface PoolOptions {
  readonly most: number
  readonly name: string
  /**
   * Longer than any statement of this pool takes, and shorter than a caller waits. A stuck
   * statement must not hold its connection.
   */
  readonly statementTimeoutMs: number
  /** Shared by all pools of one server, so that each learns from the others. */
  readonly silent: SilentConnections
  /** These connections only listen. One that receives nothing for this long is tested. */
  readonly askAfterMs?: number
  /** Run-time settings of every connection, beside ours. */
  readonly settings?: SessionSettings
  readonly onError: (error: Error) => void
}

/** The state of a pool. `waiting` counts callers, the others count connections. */
export interface PoolSize {
  readonly pool: string
  readonly busy: number
  readonly idle: number
  readonly waiting: number
}

export function sizeOf(name: string, pool: pg.Pool): PoolSize {
  const { totalCount, idleCount, waitingCount } = pool
  return { pool: name, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

export function openPool(databaseUrl: string, options: PoolOptions): pg.Pool {
  const { statementTimeoutMs, askAfterMs } = options
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    min: KEPT_OPEN,
    max: options.most,
    application_name: options.name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: SILENT_COMMIT_MS,
    keepAlive: true,
    types: TYPES,
    options: optionsOf({ ...SETTINGS, ...options.settings }),
  })
  // The pool replaces an idle connection that breaks. Without a listener its error would end the
  // process. One that is being closed need not be replaced: its server may be ending, too.
  pool.on('error', (error) => {
    if (!pool.ending) options.onError(error)
  })
  // If one breaks between two statements of a transaction, the next statement reports it.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('connect', (client) => classifyErrorsOf(client, 'query'))
  const answerWithinMs = statementTimeoutMs + ANSWER_GRACE_MS
  options.silent.watch(pool, { answerWithinMs, ...(askAfterMs && { askAfterMs }) })
  endReadOnly(pool)
  keepAfterRefusals(pool)
  classifyErrorsOf(pool, 'connect')
  classifyErrorsOf(pool, 'query')
  return pool
}

/**
 * Once a server has become a standby, the primary is elsewhere. Its connections are ended at once,
 * because a listener never gives its connection back.
 */
function endReadOnly(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const watched = (...args: unknown[]) => {
      const answer = query(...args)
      if (!(answer instanceof Promise)) return answer
      return answer.catch((error) => {
        if (isReadOnly(error)) setImmediate(() => socketOf(client).destroy(READ_ONLY))
        throw error
      })
    }
    Object.assign(client, { query: watched })
  })
}

const READ_ONLY = new Error(
  'the server accepts no writes: it has become a standby, or default_transaction_read_only is on',
)

/**
 * `pg` closes the connection of every failed statement. After a refusal by the server the
 * connection is still good. If many statements are refused at once, reopening connections would
 * delay every caller.
 */
function keepAfterRefusals(pool: pg.Pool): void {
  const query = async (...args: unknown[]) => {
    const client = await pool.connect()
    try {
      const answer = await (client.query as (...args: unknown[]) => Promise<unknown>)(...args)
      client.release()
      return answer
    } catch (error) {
      client.release(isRefusal(error) ? undefined : (error as Error))
      throw error
    }
  }
  Object.assign(pool, { query })
}

/** If the server cannot answer now, it may have closed the connection, or be about to. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isDatabaseAway(error)
}

/** Prisma passes connection errors on unchanged, so they are classified before they reach it. */
function classifyErrorsOf<K extends string>(of: { [key in K]: unknown }, method: K): void {
  const act = (of[method] as (...args: unknown[]) => unknown).bind(of)
  const classifying = (...args: unknown[]) => {
    const answer = act(...args)
    if (!(answer instanceof Promise)) return answer
    return answer.catch((error) => {
      throw error instanceof pg.DatabaseError ? error : classified(error)
    })
  }
  Object.assign(of, { [method]: classifying })
}
