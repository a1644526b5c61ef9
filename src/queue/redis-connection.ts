// Connections to Redis, or to what speaks like it: one server, Sentinel, or a cluster.

import { Cluster, Redis } from 'ioredis'
import type { RedisTarget } from '../config/redis-target.ts'

export type RedisConnection = Redis | Cluster

export interface ConnectionOptions {
  readonly connectionName: string
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

/** A cluster sees to its own queue of what waits, whatever its nodes are told. */
function clusterOptions({ enableOfflineQueue = true }: ConnectionOptions) {
  return { enableOfflineQueue }
}

function sentinelOptions(target: Extract<RedisTarget, { kind: 'sentinel' }>) {
  return {
    sentinels: target.sentinels.map(({ host, port }) => ({ host, port })),
    name: target.name,
    ...(target.username === undefined ? {} : { username: target.username }),
    ...(target.password === undefined ? {} : { password: target.password }),
    ...(target.db === undefined ? {} : { db: target.db }),
  }
}
