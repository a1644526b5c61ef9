// BullMQ on Redis, the backend that grows by adding processes. Its replies go by publish and
// subscribe.

import { randomBytes } from 'node:crypto'
import { MetricsTime, Queue } from 'bullmq'
import { Cluster, ReplyError } from 'ioredis'
import type { RedisTarget } from '../config/redis-target.ts'
import { SECOND } from '../core/time-units.ts'
import {
  type Engine,
  EvictingStore,
  type OnEngineError,
  RefusingStore,
  type StoreFacts,
  UnfitStore,
} from './engine.ts'
import { PatientWorker } from './patient-worker.ts'
import {
  ANSWER_MS,
  type ConnectionOptions,
  connectRedis,
  type RedisConnection,
} from './redis-connection.ts'
import { Replies } from './replies.ts'

/**
 * A nudge that cannot be sent at once is dropped, because a caller of the API server waits for it.
 * The sweep finds the row.
 */
const PRODUCER = { maxRetriesPerRequest: 1, socketTimeout: ANSWER_MS }

/**
 * A worker waits for its store without limit. BullMQ asks for the next job for up to ten seconds at
 * a time.
 */
const WORKER = { maxRetriesPerRequest: null, socketTimeout: 15 * SECOND }

export function redisEngine(
  target: RedisTarget,
  onError: OnEngineError,
  ownId: () => Promise<string>,
): Engine {
  const connections: RedisConnection[] = []

  function connect(options: Omit<ConnectionOptions, 'connectionName'>): RedisConnection {
    const connection = connectRedis(target, { ...options, connectionName: 'lamplighter' })
    connection.on('error', onError)
    connections.push(connection)
    return connection
  }

  const producer = connect(PRODUCER)
  // A command that was never sent only says how often it was tried.
  let lastError: unknown
  producer.on('error', (error) => {
    lastError = error
  })
  return {
    kind: 'redis',
    gathersAll: false,
    keepsDone: true,
    openQueue: (name, options) =>
      new Queue(name, {
        ...options,
        connection: producer,
        prefix: prefixOf(name),
        skipWaitingForReady: true,
      }),
    openWorker: (name, processor, options) =>
      new PatientWorker(name, processor, {
        ...options,
        connection: connect(WORKER),
        prefix: prefixOf(name),
        // Part of the script that finishes a job. PostgreSQL needs one more statement for each,
        // and works on a sixth fewer.
        metrics: { maxDataPoints: MetricsTime.ONE_HOUR },
      }),
    openReplies: () => redisReplies(producer, connect(WORKER), onError),
    claim: async () => claim(producer, await ownId()),
    probe: async () => {
      const id = await ownId()
      await probe(producer, id).catch((error) => {
        throw error instanceof ReplyError || error instanceof UnfitStore
          ? error
          : (lastError ?? error)
      })
    },
    probeWrites: async () => probeWrites(producer, await ownId()),
    storeFacts: () => redisFacts(producer),
    poolSizes: () => [],
    async close() {
      for (const connection of connections) connection.disconnect()
    },
  }
}

/**
 * The hash tag keeps all keys of a queue on one node of a cluster, and lets the queues spread over
 * the nodes.
 */
function prefixOf(queue: string): string {
  return `lamplighter:{${queue}}`
}

/**
 * Holds the id of the installation whose queues these are. Another one would take their jobs, and
 * find no rows for them.
 */
const OWNER = 'lamplighter:installation'

/** A full Redis refuses it. Then the next process claims it. */
async function claim(connection: RedisConnection, id: string): Promise<void> {
  await refuseMissingDatabase(connection)
  await connection.set(OWNER, id, 'NX').catch(() => undefined)
}

/** BullMQ does everything by scripts that write. */
const CLAIM_BY_SCRIPT = `return redis.call('SET', KEYS[1], ARGV[1], 'NX')`

async function probeWrites(connection: RedisConnection, id: string): Promise<void> {
  try {
    await connection.eval(CLAIM_BY_SCRIPT, 1, OWNER, id)
  } catch (error) {
    if (!(error instanceof ReplyError)) throw error
    throw new RefusingStore(`Redis takes no jobs: ${(error as Error).message}`, { cause: error })
  }
}

async function probe(connection: RedisConnection, id: string): Promise<void> {
  await refuseMissingDatabase(connection)
  const owner = await connection.get(OWNER)
  if (owner !== null && owner !== id) {
    throw new UnfitStore(
      'Redis holds the queues of another installation, with another database',
      `let REDIS_URL name a Redis, or a database of it, for this one alone; if the other is gone, DEL ${OWNER}`,
    )
  }
  const memory = await connection.info('memory')
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1]
  if (policy !== undefined && policy !== 'noeviction') {
    throw new EvictingStore(
      `Redis evicts keys (maxmemory-policy is ${policy}), which loses jobs`,
      'set it to noeviction, also in its configuration file',
    )
  }
}

const MISSING_DATABASE = /^ERR (DB index|invalid DB|SELECT is not allowed)/

/** ioredis only reports that a connection cannot select it, and goes on in database 0. */
async function refuseMissingDatabase(connection: RedisConnection): Promise<void> {
  if (connection instanceof Cluster || !connection.options.db) return
  const { db } = connection.options
  try {
    await connection.select(db)
  } catch (error) {
    // Other refusals, such as of the password, may end by themselves.
    const message = error instanceof ReplyError ? (error as Error).message : ''
    if (!MISSING_DATABASE.test(message)) throw error
    throw new UnfitStore(
      `Redis does not let us use its database ${db} (${message})`,
      'correct the number at the end of REDIS_URL',
    )
  }
}

async function redisFacts(connection: RedisConnection): Promise<StoreFacts> {
  const info = await connection.info()
  const fieldOf = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const figure = (name: string) => {
    const text = fieldOf(name)
    return text === undefined ? undefined : Number(text)
  }
  return {
    version: fieldOf('redis_version'),
    usedBytes: figure('used_memory'),
    mostBytes: figure('maxmemory'),
    keepsJournal: fieldOf('aof_enabled') === '1',
    role: fieldOf('role'),
    clusterState: connection instanceof Cluster ? await clusterState(connection) : undefined,
  }
}

async function clusterState(connection: Cluster): Promise<string | undefined> {
  return /^cluster_state:(\S+)/m.exec(await connection.cluster('INFO'))?.[1]
}

/** The waiting process reads a message in one turn, so it must not be too long. */
const MOST_IDS = 500

/** How often a process sends itself a message, to check that it still receives. */
const HEAR_EVERY_MS = 5 * SECOND

/**
 * A process that has received nothing for this long, not even its own message, has a dead
 * connection.
 */
const DEAF_MS = 12 * SECOND

/** No row has this id. */
const NO_ROW = ''

function redisReplies(
  publisher: RedisConnection,
  subscriber: RedisConnection,
  onError: OnEngineError,
): Replies {
  const replies = new Replies({
    address: `lamplighter:replies:${randomBytes(8).toString('hex')}`,
    mostIds: MOST_IDS,
    send: (to, ids) => publisher.publish(to, ids),
    stop() {
      clearInterval(hearing)
      subscriber.disconnect()
    },
    onError,
  })
  let heardAtMs = performance.now()
  subscriber.on('message', (_channel: string, ids: string) => {
    heardAtMs = performance.now()
    replies.arrived(ids)
  })
  subscriber.on('ready', () => {
    heardAtMs = performance.now()
    replies.wakeAll()
  })
  const hearing = setInterval(() => {
    if (subscriber.status !== 'ready' || publisher.status !== 'ready') return
    if (performance.now() - heardAtMs > DEAF_MS) subscriber.disconnect(true)
    else publisher.publish(replies.address, NO_ROW).catch(onError)
  }, HEAR_EVERY_MS).unref()
  subscriber.subscribe(replies.address).then(() => replies.wakeAll(), onError)
  return replies
}
