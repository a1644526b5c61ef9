// BullMQ on PostgreSQL, in the schema `bullmq` of our own database. A single process needs nothing
// else. Its replies go by LISTEN and NOTIFY.

import { randomBytes } from 'node:crypto'
import {
  createPostgresBackend,
  LATEST_SCHEMA_VERSION,
  type PostgresConnectionOptions,
  Queue,
  runMigrations,
} from 'bullmq'
import type pg from 'pg'
import { SECOND } from '../core/time-units.ts'
import { withClient } from '../db/client.ts'
import { openPool, sizeOf } from '../db/pool.ts'
import { silentConnections } from '../db/silent-connections.ts'
import type { Engine, JobQueue, JobWorker, OnEngineError } from './engine.ts'
import { PatientWorker } from './patient-worker.ts'
import { type Listener, QueueConnections } from './queue-connections.ts'
import { Replies } from './replies.ts'

/** After the server died, BullMQ waits up to 15 s to resume work; a second is enough. */
const RUN_RETRY_MS = SECOND

/** The limit of one statement of BullMQ. Some of them clean up old jobs. */
const TIMEOUT_MS = 15 * SECOND

/** A listening connection receives nothing in a quiet hour, and also nothing if it is dead. */
const ASK_AFTER_MS = 10 * SECOND

/**
 * Jobs only nudge: if a crash of the server loses the last ones, the sweep finds their rows. Each
 * statement of BullMQ's functions would be planned five times before its plan is kept.
 */
const SETTINGS = {
  search_path: 'bullmq',
  synchronous_commit: 'off',
  plan_cache_mode: 'force_generic_plan',
}

/**
 * Of `most` connections one listens. The others carry statements, most of which take less than a
 * millisecond. A process that is busy takes longer to read their answers: with seven for all queues
 * under full load, jobs waited for them.
 */
export function postgresEngine(databaseUrl: string, most: number, onError: OnEngineError): Engine {
  const pool = openPool(databaseUrl, {
    most,
    name: 'lamplighter queues',
    statementTimeoutMs: TIMEOUT_MS,
    askAfterMs: ASK_AFTER_MS,
    silent: silentConnections(),
    settings: SETTINGS,
    onError,
  })
  const connections = new QueueConnections(pool)
  // BullMQ needs less of a pool than its types say.
  const connection = connections as unknown as PostgresConnectionOptions
  return {
    kind: 'postgres',
    gathersAll: true,
    // On PostgreSQL each job that ends cleans up after all others, and two at once deadlock.
    keepsDone: false,
    // Its types name the store, but this code uses a queue or a worker in the same way on both.
    openQueue: (name, options) =>
      new Queue(name, { ...options, connection }, createPostgresBackend) as unknown as JobQueue,
    openWorker: (name, processor, options) =>
      new PatientWorker(
        name,
        processor,
        { ...options, connection, runRetryDelay: RUN_RETRY_MS },
        createPostgresBackend,
      ) as unknown as JobWorker,
    openReplies: () => postgresReplies(connections, onError),
    claim: async () => {},
    probeWrites: async () => {},
    async probe() {
      await pool.query('SELECT FROM migration LIMIT 1')
    },
    storeFacts: async () => undefined,
    poolSizes: () => [sizeOf('queues', pool)],
    close: () => connections.end(),
  }
}

/** BullMQ itself notices only a schema that is newer by a major version. */
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

/** A notification holds at most 7,999 bytes: 216 ids with their commas. */
const MOST_IDS = 200

const RECONNECT_MS = SECOND

function postgresReplies(connections: QueueConnections, onError: OnEngineError): Replies {
  const replies = new Replies({
    address: `lamplighter_${randomBytes(8).toString('hex')}`,
    mostIds: MOST_IDS,
    send: (to, ids) => connections.query('SELECT pg_notify($1, $2)', [to, ids]),
    stop: () => channel.stop(),
    onError,
  })
  const channel = new OwnChannel(connections, replies, onError)
  channel.start()
  return replies
}

class OwnChannel {
  readonly #connections: QueueConnections
  readonly #replies: Replies
  readonly #onError: OnEngineError
  #listener: Listener | undefined
  #retry: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(connections: QueueConnections, replies: Replies, onError: OnEngineError) {
    this.#connections = connections
    this.#replies = replies
    this.#onError = onError
  }

  start(): void {
    void this.#listen().catch((error) => this.#lost(error))
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#retry)
    this.#listener?.release()
    this.#listener = undefined
  }

  async #listen(): Promise<void> {
    const listener = await this.#connections.connect()
    if (this.#isStopped) return
    this.#listener = listener
    listener.on('error', (error) => this.#lost(error))
    listener.on('notification', ({ channel, payload = '' }: pg.Notification) => {
      if (channel === this.#replies.address) this.#replies.arrived(payload)
    })
    await listener.query(`LISTEN "${this.#replies.address}"`)
    this.#replies.wakeAll()
  }

  #lost(error: Error): void {
    this.#listener?.release()
    this.#listener = undefined
    if (this.#isStopped) return
    this.#onError(error)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.start(), RECONNECT_MS)
  }
}
