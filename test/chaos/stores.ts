// The stores of a run: a PostgreSQL with all migrations and a Redis of its own, at addresses that
// outlive them.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Flushed, flushQueues } from '../support/flush-queues.ts'
import { type PrivateRedis, privateRedis } from '../support/redis.ts'
import { makeMigratedCluster } from './migrated-cluster.ts'
import {
  follow,
  type PostgresServer,
  promote,
  startPostgres,
  startStandby,
} from './postgres-server.ts'
import { buildProxies, type ProxyGroup, type ServerProxy } from './proxies.ts'

export type Backend = 'postgres' | 'redis'

/** A path to the stores for one process. */
export interface Links {
  readonly database: ServerProxy
  /** Undefined if the queues are in the database. */
  readonly redis: ServerProxy | undefined
  /** The settings of a process with these links. */
  readonly environment: Readonly<Record<string, string>>
}

/** A server that has every commit that the primary has acknowledged. */
interface Standby {
  /** Kills the primary, and puts the standby in its place. */
  replaceKilled(): Promise<void>
  /**
   * Restarts the primary as a standby, at the same address: connections can read, and not write.
   */
  demotePrimary(): Promise<void>
  /** After that, new connections lead to the promoted server, and those to the old primary stay. */
  replaceDemoted(): Promise<void>
}

export interface Stores {
  readonly databaseUrl: string
  /** For changes that only time makes: rules of the database would refuse them to the service. */
  readonly superuserUrl: string
  readonly redisUrl: string | undefined
  links(): Promise<Links>
  stopRedis(): Promise<void>
  startRedis(): Promise<void>
  flush(what: Flushed): Promise<void>
  /** `stop` lets the server end its sessions; `kill` is SIGKILL. */
  stopDatabase(how: 'stop' | 'kill'): Promise<void>
  startDatabase(): Promise<void>
  /** For every existing session, and every new one. */
  setReadOnly(isReadOnly: boolean): Promise<void>
  /** A new standby of the present primary. */
  standby(): Promise<Standby>
  close(): Promise<void>
}

/** A killed server's last processes write for a moment after it. */
const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const

export async function openStores(backend: Backend): Promise<Stores> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-chaos-'))
  const redis = backend === 'redis' ? await privateRedis() : undefined
  const redisProxies = buildProxies()
  if (redis !== undefined) await redisProxies.open(redis.port)
  const database = await openDatabase(folder)
  let isRedisUp = true
  return {
    ...database,
    redisUrl: redis?.url,
    links: () => linksOf(database, redis, redisProxies),
    async stopRedis() {
      isRedisUp = false
      await redis?.stop()
      await redisProxies.shut()
    },
    async startRedis() {
      await redis?.start()
      if (redis !== undefined) await redisProxies.open(redis.port)
      isRedisUp = true
    },
    async flush(what) {
      // A stopped Redis has lost everything already.
      if (isRedisUp) await flushQueues({ databaseUrl: database.databaseUrl, redis }, what)
    },
    async close() {
      await redisProxies.shut()
      await database.close()
      await redis?.close()
      await rm(folder, REMOVE)
    },
  }
}

type Database = Omit<Stores, 'redisUrl' | 'links' | 'stopRedis' | 'startRedis' | 'flush'> & {
  readonly proxies: ProxyGroup
}

async function openDatabase(folder: string): Promise<Database> {
  const made = await makeMigratedCluster(folder)
  const proxies = buildProxies()
  const proxy = await proxies.proxy()
  const superuserUrl = portOf(made.superuserUrl, proxy.port)
  let primary = await startPostgres(join(folder, 'postgres'), superuserUrl)
  /** The demoted server: connections to it may still exist. */
  let former: PostgresServer | undefined
  let standbys = 0
  await proxies.open(primary.port)

  async function endFormer(): Promise<void> {
    await former?.end('SIGKILL')
    if (former !== undefined) await rm(former.folder, REMOVE)
    former = undefined
  }

  return {
    databaseUrl: portOf(made.url, proxy.port),
    superuserUrl,
    proxies,
    async stopDatabase(how) {
      if (how === 'kill') await primary.end('SIGKILL')
      await Promise.all([proxies.shut(), primary.end('SIGINT')])
    },
    async startDatabase() {
      primary = await startPostgres(primary.folder, superuserUrl)
      await proxies.open(primary.port)
    },
    async setReadOnly(isReadOnly) {
      const how = isReadOnly ? 'on' : 'off'
      await primary.ask(`ALTER SYSTEM SET default_transaction_read_only = ${how}`)
      await primary.ask('SELECT pg_reload_conf()')
    },
    async standby() {
      await endFormer()
      standbys += 1
      const name = join(folder, `standby-${standbys}`)
      const standby = await startStandby(primary, name, superuserUrl)
      return {
        async replaceKilled() {
          former = primary
          await primary.end('SIGKILL')
          await proxies.shut()
          await promote(standby)
          primary = standby
          await proxies.open(primary.port)
        },
        async demotePrimary() {
          await primary.end('SIGINT')
          await follow(primary.folder, standby, superuserUrl)
          former = await startPostgres(primary.folder, superuserUrl)
          await proxies.open(former.port)
        },
        async replaceDemoted() {
          await promote(standby)
          primary = standby
          await proxies.open(primary.port)
        },
      }
    },
    async close() {
      await proxies.shut()
      await endFormer()
      await primary.end('SIGKILL')
    },
  }
}

async function linksOf(
  { databaseUrl, proxies }: Database,
  redis: PrivateRedis | undefined,
  redisProxies: ProxyGroup,
): Promise<Links> {
  const proxy = await proxies.proxy()
  const redisProxy = redis === undefined ? undefined : await redisProxies.proxy()
  const environment = {
    DATABASE_URL: portOf(databaseUrl, proxy.port),
    ...(redis && redisProxy ? { REDIS_URL: portOf(redis.url, redisProxy.port) } : {}),
  }
  return { database: proxy, redis: redisProxy, environment }
}

function portOf(url: string, port: number): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href
}
