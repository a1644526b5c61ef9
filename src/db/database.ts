// The database for the rest of the service: hot statements, and all others. Each have a pool of
// their own. All writes are SQL, and several in one commit go through `commit`; Prisma only reads.

import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { SECOND } from '../core/time-units.ts'
import { inTurn } from '../core/turns.ts'
import { PrismaClient } from '../generated/client.ts'
import { type HotStatements, hotStatements } from './hot-statements.ts'
import { openPool, type PoolSize, sizeOf } from './pool.ts'
import { committed, onConnection, type Queries, type Query, queryBy } from './queries.ts'
import { type Send, statementSender } from './sender.ts'
import { silentConnections } from './silent-connections.ts'

/** The most connections of one process, by what they are for. */
export interface ConnectionShares {
  readonly hot: number
  readonly other: number
  /** Not opened if the queues are in Redis. */
  readonly queues: number
}

/**
 * The hot statements get ten of 34, so that each may have its rounds under way, and the queues get
 * 16.
 */
export function connectionShares(most: number): ConnectionShares {
  const hot = Math.round((most * 10) / 34)
  const other = Math.round((most * 8) / 34)
  return { hot, other, queues: most - hot - other }
}

/**
 * If a hot statement waits for a row, all callers of its round wait. So it soon continues without
 * that row. Our own commits hold a row for some milliseconds.
 */
const HOT_LOCK_TIMEOUT_MS = 100

/** A hot statement takes milliseconds. */
const HOT_TIMEOUT_MS = 10 * SECOND

const OTHER_TIMEOUT_MS = 30 * SECOND

/** Other statements wait for a row on a connection that other callers need too. */
const LOCK_TIMEOUT_MS = 5 * SECOND

/**
 * A running statement ends this soon after its connection was closed: by `queryUntil`, or by the
 * end of a process. The server would notice it only when it sends the answer.
 */
const CLOSED_CHECK_MS = 1 * SECOND

/**
 * Planning a hot statement costs as much as running it. So plans are kept, and may only look rows
 * up by their keys. In three rounds of `npm run bench` on a busy machine, alternating with and
 * without these settings, a lone charge took 12 to 17 ms with them and 17 to 24 ms without.
 */
export const KEYED_PLANS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
}

export type { Query } from './queries.ts'

export type Snapshot = <T>(read: (query: Query) => Promise<T>) => Promise<T>

export interface Database extends Queries, HotStatements {
  readonly prisma: PrismaClient
  /**
   * `query` until the signal, which ends the statement under way with its connection. Statements
   * then fail with the signal's reason.
   */
  readonly queryUntil: (signal: AbortSignal) => Query
  /** Reads by several statements that all see the same rows, whatever is written meanwhile. */
  readonly snapshot: Snapshot
  /** The same until the signal, as `queryUntil`. */
  readonly snapshotUntil: (signal: AbortSignal) => Snapshot
  /** The queue of `commit`, for code that reads a row and then changes it with one statement. */
  inTurn<T>(about: string, work: () => Promise<T>): Promise<T>
  poolSizes(): readonly PoolSize[]
  /** Queries both pools, as any caller would. Throws if one does not answer. */
  probe(): Promise<void>
  /** How long the oldest statement under way has waited for its answer. */
  longestWaitMs(): number
  /**
   * Lets Prisma load its query compiler. Otherwise the first caller would wait a fifth of a second.
   */
  warmUp(): Promise<void>
}

export interface DatabaseOptions {
  readonly name: string
  readonly connections: Pick<ConnectionShares, 'hot' | 'other'>
  readonly onError: (error: Error) => void
}

export function openDatabase(databaseUrl: string, options: DatabaseOptions): Database {
  const { hotPool, pool } = openPools(databaseUrl, options)
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  const hot = statementSender(hotPool)
  const other = statementSender(pool)
  const snapshotUntil = snapshotsOf(pool, other.send)
  const takeTurns = inTurn()
  return {
    prisma,
    ...hotStatements(hot.send),
    query: queryBy(other.send),
    queryUntil: (signal) => {
      return (...statement) =>
        onConnection(pool, signal, (client) => queryBy(other.send, client)(...statement))
    },
    snapshot: snapshotUntil(),
    snapshotUntil,
    commit: (about, work) => takeTurns(about, () => committed(pool, other.send, work)),
    inTurn: takeTurns,
    poolSizes: () => [sizeOf('hot', hotPool), sizeOf('other', pool)],
    async probe() {
      // If all connections are in use, an answer to any of them proves as much as one of our own.
      const anyAnswer = Promise.race([pool.query('SELECT'), other.nextAnswer()])
      await Promise.all([hot.send({ name: 'probe', text: 'SELECT' }), anyAnswer])
    },
    longestWaitMs: () => Math.max(hot.longestWaitMs(), other.longestWaitMs()),
    async warmUp() {
      await prisma.team.count()
    },
    async close() {
      await prisma.$disconnect()
      await Promise.all([hotPool.end(), pool.end()])
    },
  }
}

/** Each learns from the other that the server is away. */
function openPools(databaseUrl: string, { connections, ...options }: DatabaseOptions) {
  const silent = silentConnections()
  const hotPool = openPool(databaseUrl, {
    ...options,
    silent,
    most: connections.hot,
    statementTimeoutMs: HOT_TIMEOUT_MS,
    settings: { ...KEYED_PLANS, lock_timeout: HOT_LOCK_TIMEOUT_MS },
  })
  const pool = openPool(databaseUrl, {
    ...options,
    silent,
    most: connections.other,
    statementTimeoutMs: OTHER_TIMEOUT_MS,
    settings: { lock_timeout: LOCK_TIMEOUT_MS, client_connection_check_interval: CLOSED_CHECK_MS },
  })
  return { hotPool, pool }
}

function snapshotsOf(pool: pg.Pool, send: Send): (signal?: AbortSignal) => Snapshot {
  return (signal) => (read) =>
    onConnection(pool, signal, async (client) => {
      const query = queryBy(send, client)
      await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      try {
        return await read(query)
      } finally {
        await query('COMMIT')
      }
    })
}
