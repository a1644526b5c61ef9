// SQL statements on a few connections, without Prisma. Loading Prisma and its query compiler takes
// longer than everything else that a command does.

import type pg from 'pg'
import { SECOND } from '../core/time-units.ts'
import { classified } from './failure.ts'
import type { Row } from './gathered.ts'
import { openPool } from './pool.ts'
import { type Send, statementSender } from './sender.ts'
import { silentConnections } from './silent-connections.ts'

/**
 * Runs one statement. With a name it is prepared, and its plan may stay: only for a statement that
 * has the same plan for any values. A name stands for one text.
 */
export type Query = (
  text: string,
  values?: readonly unknown[],
  name?: string,
) => Promise<readonly Row[]>

/**
 * What a caller adds to the commit of a change, perhaps from what was written. It is left out if
 * nothing changes.
 */
export type InCommit<Written extends readonly unknown[] = []> = (
  query: Query,
  ...written: Written
) => Promise<void>

export interface Queries {
  readonly query: Query
  /**
   * Runs statements in one commit; an error undoes it. `about` names the row that it locks. Commits
   * about the same row wait for each other here, so that they do not each hold a connection.
   */
  commit<T>(about: string, work: (query: Query) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** A command sends one statement after the other. */
const CONNECTIONS = 2

const TIMEOUT_MS = 30 * SECOND

const LOCK_TIMEOUT_MS = 5 * SECOND

/** Runs statements in one commit on a connection of its own; an error undoes it. */
export async function committed<T>(
  pool: pg.Pool,
  send: Send,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const client = await connectTo(pool)
  const query = queryBy(send, client)
  let isBroken = false
  try {
    await query('BEGIN')
    const answer = await work(query)
    await query('COMMIT')
    return answer
  } catch (error) {
    // If even the rollback fails, the connection is not used again.
    await query('ROLLBACK').catch(() => {
      isBroken = true
    })
    throw error
  } finally {
    client.release(isBroken)
  }
}

/** Lends a connection until the work is done, or until the signal, if any, which closes it. */
export async function onConnection<T>(
  pool: pg.Pool,
  signal: AbortSignal | undefined,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connectTo(pool)
  let isReleased = false
  const release = (isEnded: boolean) => {
    if (!isReleased) client.release(isEnded)
    isReleased = true
  }
  const end = () => release(true)
  signal?.addEventListener('abort', end, { once: true })
  try {
    signal?.throwIfAborted()
    return await work(client)
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', end)
    release(false)
  }
}

function connectTo(pool: pg.Pool): Promise<pg.PoolClient> {
  return pool.connect().catch((error) => {
    throw classified(error)
  })
}

export function queryBy(send: Send, on?: pg.PoolClient): Query {
  return (text, values = [], name) => send({ text, values: [...values], name }, on)
}

export function openQueries(databaseUrl: string, onError: (error: Error) => void): Queries {
  const pool = openPool(databaseUrl, {
    name: 'lamplighter',
    silent: silentConnections(),
    most: CONNECTIONS,
    statementTimeoutMs: TIMEOUT_MS,
    settings: { lock_timeout: LOCK_TIMEOUT_MS },
    onError,
  })
  const { send } = statementSender(pool)
  return {
    query: queryBy(send),
    commit: (_about, work) => committed(pool, send, work),
    close: () => pool.end(),
  }
}
