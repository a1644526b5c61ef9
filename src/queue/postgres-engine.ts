// BullMQ on PostgreSQL: the schema `bullmq` of our own database. One process needs nothing else.

import {
  createPostgresBackend,
  LATEST_SCHEMA_VERSION,
  type PostgresConnectionOptions,
  Queue,
  runMigrations,
  Worker,
} from 'bullmq'
import { SECOND } from '../core/time-units.ts'
import { withClient } from '../db/client.ts'
import { openPool, sizeOf } from '../db/pool.ts'
import { silentConnections } from '../db/silent-connections.ts'
import type { Engine, JobQueue, JobWorker, OnEngineError } from './engine.ts'
import { postgresReplies } from './postgres-replies.ts'

/**
 * Each worker keeps a connection to itself for LISTEN, and so do the replies; a pool without room
 * beyond these hangs without a word.
 */
export const MOST_QUEUE_CONNECTIONS = 24

/** BullMQ waits up to 15 s to take up work again after the server died; a second is enough. */
const RUN_RETRY_MS = SECOND

/** Of a statement of BullMQ; it tidies up in some of them. */
const TIMEOUT_MS = 15 * SECOND

/** Who listens hears nothing in a quiet hour, and nothing at all where the line is dead. */
const ASK_AFTER_MS = 10 * SECOND

/**
 * Jobs are only nudges: a crash of the server may lose the last of them, and the sweep finds the
 * rows.
 */
const SETTINGS = { search_path: 'bullmq', synchronous_commit: 'off' }

export function postgresEngine(databaseUrl: string, onError: OnEngineError): Engine {
  const pool = openPool(databaseUrl, {
    most: MOST_QUEUE_CONNECTIONS,
    name: 'lamplighter queues',
    statementTimeoutMs: TIMEOUT_MS,
    askAfterMs: ASK_AFTER_MS,
    silent: silentConnections(),
    settings: SETTINGS,
    onError,
  })
  pool.setMaxListeners(0) // every queue and worker listens for its errors
  // BullMQ asks less of a pool than its types say.
  const connection = pool as unknown as PostgresConnectionOptions
  return {
    kind: 'postgres',
    gathersAll: true,
    // There, each job that ends sweeps up behind all others, and two that do so deadlock.
    keepsDone: false,
    // Its types name the store; what we do with a queue or a worker is the same on either.
    openQueue: (name, options) =>
      new Queue(name, { ...options, connection }, createPostgresBackend) as unknown as JobQueue,
    openWorker: (name, processor, options) =>
      new Worker(
        name,
        processor,
        { ...options, connection, runRetryDelay: RUN_RETRY_MS },
        createPostgresBackend,
      ) as unknown as JobWorker,
    openReplies: () => postgresReplies(pool, onError),
    async probe() {
      await pool.query('SELECT FROM migration LIMIT 1')
    },
    poolSizes: () => [sizeOf('queues', pool)],
    close: () => pool.end(),
  }
}

/** BullMQ itself notices only a schema that is too new by a major version. */
const VERSION = `SELECT max(version) AS version FROM bullmq.migration`

export async function migrateQueues(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    if (await isUpToDate(client)) return
    await runMigrations(client, 'bullmq')
  })
}

async function isUpToDate(client: Parameters<typeof runMigrations>[0]): Promise<boolean> {
  const found = await client.query(`SELECT to_regclass('bullmq.migration') IS NOT NULL AS there`)
  if (found.rows[0]?.there !== true) return false
  const { rows } = await client.query(VERSION)
  return Number(rows[0]?.version) >= LATEST_SCHEMA_VERSION
}
