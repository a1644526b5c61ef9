// Classifies database failures by SQLSTATE and type, never by text.

import pg from 'pg'
import { NamedError } from '../core/named-error.ts'

/**
 * The statement did not reach the database, or its answer did not come back. Whether it was carried
 * out is unknown.
 */
export class DatabaseAway extends NamedError {
  constructor(cause: unknown) {
    super('the database is away', { cause })
  }
}

/**
 * Connection exceptions, exhausted resources, operator intervention, errors of the host: none of
 * them is the statement's fault.
 */
const AWAY_CLASSES = new Set(['08', '53', '57', '58'])

/** The primary has become a standby, so the new primary is elsewhere. */
const READ_ONLY = '25006'

/**
 * The server ended a transaction that waited for us too long, as while this process stood still:
 * nothing of it was committed.
 */
const ENDED_IDLE = new Set(['25P03', '25P04'])

/**
 * Bad data, broken constraints, lost races, and values beyond a limit, as of an index. The
 * statement surely changed nothing, and a part of its input may still succeed.
 */
const ROW_CLASSES = new Set(['22', '23', '40', '54'])

const ADAPTER_AWAY = new Set(['ConnectionClosed', 'DatabaseNotReachable', 'SocketTimeout'])
const PRISMA_AWAY = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024'])

/** Returns an error of `pg` unchanged, or a DatabaseAway if the statement is not to blame. */
export function classified(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    return isAwayState(error.code) ? new DatabaseAway(error) : error
  }
  return error instanceof DatabaseAway ? error : new DatabaseAway(error)
}

export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true
  const code = property(error, 'code')
  if (typeof code === 'string' && PRISMA_AWAY.has(code)) return true
  if (ADAPTER_AWAY.has(String(property(property(error, 'cause'), 'kind')))) return true
  return isAwayState(sqlState(error))
}

/** An input that has no form in SQL. The statement was not sent. */
export class UnfitInput extends NamedError {}

/** True if one input may have made the whole gathered statement fail. */
export function isRowsFault(error: unknown): boolean {
  if (error instanceof UnfitInput) return true
  return error instanceof pg.DatabaseError && ROW_CLASSES.has(sqlClass(error.code))
}

/**
 * `lock_timeout`: another transaction holds one of its rows, and the statement surely changed
 * nothing.
 */
const LOCK_NOT_AVAILABLE = '55P03'

export function isHeldUp(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE
}

/** The SQLSTATE of an error of `pg` or Prisma. Undefined if there is none. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code
  const ofPrisma = property(property(error, 'meta'), 'driverAdapterError') ?? error
  const cause = property(ofPrisma, 'cause')
  const code = property(cause, 'originalCode')
  return typeof code === 'string' ? code : undefined
}

const UNDEFINED = new Set(['42P01', '42703', '3F000'])

/** True if a table, a column or a schema is not there, as before a migration. */
export function isUndefined(error: unknown): boolean {
  return UNDEFINED.has(sqlState(error) ?? '')
}

/** A wrong password, an unknown role or an unknown database. */
export function isNotLetIn(error: unknown): boolean {
  const state = sqlState(error)
  return state === NO_SUCH_DATABASE || sqlClass(state) === NOT_AUTHORIZED
}

const NO_SUCH_DATABASE = '3D000'
const NOT_AUTHORIZED = '28'

const UNIQUE_VIOLATION = '23505'

/** True if a row with this key exists already. */
export function isDuplicate(error: unknown): boolean {
  return sqlState(error) === UNIQUE_VIOLATION
}

/**
 * The code for full data files. Without space for its log PostgreSQL crashes instead of answering.
 */
const DISK_FULL = '53100'

export const DATABASE_FULL = "the database's disk is full"

/** True if the database refused for lack of disk space, in a statement or at the connection. */
export function isDiskFull(error: unknown): boolean {
  return refusalState(error) === DISK_FULL
}

/** Also where the role or the database has a limit of its own, which the server's words name. */
const TOO_MANY_CONNECTIONS = '53300'

export const OUT_OF_CONNECTIONS =
  'has no connection left: run fewer processes, lower DATABASE_CONNECTIONS, or raise max_connections'

export function isOutOfConnections(error: unknown): boolean {
  return refusalState(error) === TOO_MANY_CONNECTIONS
}

/** A time limit or an operator ended the statement. */
const CANCELED = '57014'

export function isCanceled(error: unknown): boolean {
  return refusalState(error) === CANCELED
}

function refusalState(error: unknown): string | undefined {
  return sqlState(error instanceof DatabaseAway ? error.cause : error)
}

/** Says why no request is answered, for an error that means the database is away. */
export function whyAway(error: unknown): string {
  if (isOutOfConnections(error)) return `the database ${OUT_OF_CONNECTIONS}`
  return isDiskFull(error) ? DATABASE_FULL : 'the database is away'
}

export function isReadOnly(error: unknown): boolean {
  return refusalState(error) === READ_ONLY
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** The role lacks a right, as to make tables or to write one. */
export function isForbidden(error: unknown): boolean {
  return sqlState(error) === INSUFFICIENT_PRIVILEGE
}

function isAwayState(code: string | undefined): boolean {
  const isEnded = code === READ_ONLY || ENDED_IDLE.has(code ?? '')
  return isEnded || AWAY_CLASSES.has(sqlClass(code))
}

function sqlClass(code: string | undefined): string {
  return code?.slice(0, 2) ?? ''
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
