// What went wrong in the database, told apart by SQLSTATE and by type, never by text.

import pg from 'pg'

/**
 * The statement did not reach the database, or its answer did not reach us. Whether it was carried
 * out is not known.
 */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super('the database is away', { cause })
    this.name = 'DatabaseAway'
  }
}

/**
 * Connection exceptions, resources used up, operator intervention, errors of the host: not the
 * statement's fault.
 */
const AWAY_CLASSES = new Set(['08', '53', '57', '58'])

/** A primary that has become a standby: what can be written to is somewhere else by now. */
const READ_ONLY = '25006'

/**
 * Bad data and broken constraints, a lost race: the statement surely did nothing, and part of it
 * may yet succeed.
 */
const ROW_CLASSES = new Set(['22', '23', '40'])

const ADAPTER_AWAY = new Set(['ConnectionClosed', 'DatabaseNotReachable', 'SocketTimeout'])
const PRISMA_AWAY = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028'])

/** An error of `pg` as it is, or as DatabaseAway where the statement is not to blame. */
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

/** True where one element of a gathered statement may have failed all of it. */
export function isRowsFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ROW_CLASSES.has(sqlClass(error.code))
}

/** `lock_timeout`: another transaction holds a row of it, and the statement surely did nothing. */
const LOCK_NOT_AVAILABLE = '55P03'

export function isHeldUp(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE
}

/** The SQLSTATE behind an error of `pg` or of Prisma; undefined where there is none. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code
  const ofPrisma = property(property(error, 'meta'), 'driverAdapterError') ?? error
  const cause = property(ofPrisma, 'cause')
  const code = property(cause, 'originalCode')
  return typeof code === 'string' ? code : undefined
}

/** Of the data; where the log has no room PostgreSQL does not answer at all, but crashes. */
const DISK_FULL = '53100'

export const DATABASE_FULL = "the database's disk is full"

/** True where it refused, itself or at the door, for want of room on its disk. */
export function isDiskFull(error: unknown): boolean {
  const refusal = error instanceof DatabaseAway ? error.cause : error
  return sqlState(refusal) === DISK_FULL
}

/** Why nobody is answered, in words, of an error that says that the database is away. */
export function whyAway(error: unknown): string {
  return isDiskFull(error) ? DATABASE_FULL : 'the database is away'
}

export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === READ_ONLY
}

function isAwayState(code: string | undefined): boolean {
  return code === READ_ONLY || AWAY_CLASSES.has(sqlClass(code))
}

function sqlClass(code: string | undefined): string {
  return code?.slice(0, 2) ?? ''
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
