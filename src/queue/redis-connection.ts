// Connections to Redis or a compatible server: one server, Sentinel, or a cluster.

import { Cluster, Redis } from 'ioredis'
import type { RedisTarget } from '../config/redis-target.ts'
import { SECOND } from '../core/time-units.ts'

/** A busy server answers a simple command within this time. */
export const ANSWER_MS = 5 * SECOND

/** The first wait while the sentinels name no primary, as during a failover. */
const SENTINEL_RETRY_MS = 100

export type RedisConnection = Redis | Cluster

export interface ConnectionOptions {
  readonly connectionName: string
  /**
   * If something was sent and nothing came back for this long, the connection is dead. It is
   * closed, and another is made.
   */
  readonly socketTimeout: number
  /** Null means without limit. */
  readonly maxRetriesPerRequest: number | null
  /** True, the default, if commands that are sent while Redis is away wait for its return. */
  readonly enableOfflineQueue?: boolean
}

export function connectRedis(target: RedisTarget, options: ConnectionOptions): RedisConnection {
  switch (target.kind) {
    case 'single':
      return new Redis(target.url, options)
    case 'cluster':
      return new Cluster([...target.urls], { ...clusterOptions(options), redisOptions: options })
    case 'sentinel':
      return new Redis({ ...sentinelOptions(target), ...options })
  }
}

/**
 * A cluster client manages its own queue of waiting commands, whatever its nodes' options say. It
 * also must not check whether the cluster is complete: if not, ioredis would reconnect and never
 * settle the first attempt, and a BullMQ worker that awaits it would take no more jobs. An
 * incomplete cluster refuses commands itself, and they are retried.
 */
function clusterOptions({ enableOfflineQueue = true }: ConnectionOptions) {
  return { enableOfflineQueue, enableReadyCheck: false }
}

function sentinelOptions(target: Extract<RedisTarget, { kind: 'sentinel' }>) {
  return {
    sentinels: target.sentinels.map(({ host, port }) => ({ host, port })),
    name: target.name,
    sentinelCommandTimeout: ANSWER_MS,
    sentinelRetryStrategy: (tries: number) => Math.min(tries * SENTINEL_RETRY_MS, SECOND),
    ...(target.username === undefined ? {} : { username: target.username }),
    ...(target.password === undefined ? {} : { password: target.password }),
    ...(target.db === undefined ? {} : { db: target.db }),
  }
}
