// Connections to Redis, or to what speaks like it: one server, Sentinel, or a cluster.

import { Cluster, Redis } from 'ioredis'
import type { RedisTarget } from '../config/redis-target.ts'
import { SECOND } from '../core/time-units.ts'

/** A busy server answers within this time whatever is asked for its answer only. */
export const ANSWER_MS = 5 * SECOND

export type RedisConnection = Redis | Cluster

export interface ConnectionOptions {
  readonly connectionName: string
  /**
   * A connection on which something was sent and nothing came back for this long is dead, though
   * nobody has said so: it is ended, and another is made.
   */
  readonly socketTimeout: number
  /** null: for ever. */
  readonly maxRetriesPerRequest: number | null
  /** Whether what is asked while Redis is away is sent when it is back; so it is, by default. */
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
 * A cluster sees to its own queue of what waits, whatever its nodes are told. Nor does it ask
 * whether it is whole: ioredis would connect again where it is not and never tell who awaits the
 * first try, and a worker of BullMQ that awaits it takes no job any more. What is sent to a cluster
 * that is not whole is refused by it, and tried again.
 */
function clusterOptions({ enableOfflineQueue = true }: ConnectionOptions) {
  return { enableOfflineQueue, enableReadyCheck: false }
}

function sentinelOptions(target: Extract<RedisTarget, { kind: 'sentinel' }>) {
  return {
    sentinels: target.sentinels.map(({ host, port }) => ({ host, port })),
    name: target.name,
    sentinelCommandTimeout: ANSWER_MS,
    ...(target.username === undefined ? {} : { username: target.username }),
    ...(target.password === undefined ? {} : { password: target.password }),
    ...(target.db === undefined ? {} : { db: target.db }),
  }
}
