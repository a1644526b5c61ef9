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

/** Connection exceptions, resources used up, operator intervention: not the statement's fault. */
const AWAY_CLASSES = new Set(['08', '53', '57'])

/**
 * Bad data and broken constraints, a lost race: the statement surely did nothing, and part of it
 * may yet succeed.
 */
const ROW_CLASSES = new Set(['22', '23', '40'])

export const UNIQUE_VIOLATION = '23505'

const ADAPTER_AWAY = new Set(['ConnectionClosed', 'DatabaseNotReachable', 'SocketTimeout'])
const PRISMA_AWAY = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024'])

/** An error of `pg` as it is, or as DatabaseAway where the statement is not to blame. */
export function classified(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    return AWAY_CLASSES.has(sqlClass(error.code)) ? new DatabaseAway(error) : error
  }
  return error instanceof DatabaseAway ? error : new DatabaseAway(error)
}

export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true
  const code = property(error, 'code')
  if (typeof code === 'string' && PRISMA_AWAY.has(code)) return true
  if (ADAPTER_AWAY.has(String(property(property(error, 'cause'), 'kind')))) return true
  return AWAY_CLASSES.has(sqlClass(sqlState(error)))
}

/** True where one element of a gathered statement may have failed all of it. */
export function isRowsFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ROW_CLASSES.has(sqlClass(error.code))
}

/** The SQLSTATE behind an error of `pg` or of Prisma; undefined where there is none. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code
  const ofPrisma = property(property(error, 'meta'), 'driverAdapterError') ?? error
  const cause = property(ofPrisma, 'cause')
  const code = property(cause, 'originalCode')
  return typeof code === 'string' ? code : undefined
}

function sqlClass(code: string | undefined): string {
  return code?.slice(0, 2) ?? ''
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
