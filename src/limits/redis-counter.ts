// Counts in Redis for all processes together: one script for each request, which counts and returns
// the rest of the window.

import { once } from 'node:events'
import type { RateLimiterRedis } from 'rate-limiter-flexible'
import type { RedisTarget } from '../config/redis-target.ts'
import { ANSWER_MS, connectRedis, type RedisConnection } from '../queue/redis-connection.ts'
import { COUNT_ONLY, type RequestCounter } from './counter.ts'

/**
 * No request waits for a Redis that is away, and nothing is sent to it later: those requests were
 * counted elsewhere.
 */
const AT_ONCE = { maxRetriesPerRequest: 0, enableOfflineQueue: false, socketTimeout: ANSWER_MS }

export function redisCounter(target: RedisTarget, onError: (error: Error) => void): RequestCounter {
  let connection: RedisConnection | undefined
  let opened: Promise<RateLimiterRedis> | undefined

  /** Opened at the first request, because most commands and the workers count none. */
  async function open(): Promise<RateLimiterRedis> {
    const storeClient = connectRedis(target, { ...AT_ONCE, connectionName: 'lamplighter' })
    connection = storeClient
    storeClient.on('error', onError)
    const [{ RateLimiterRedis }] = await Promise.all([
      import('rate-limiter-flexible'),
      // The first requests must be counted here too. An error means that there is no Redis yet.
      once(storeClient, 'ready').catch(() => undefined),
    ])
    return new RateLimiterRedis({ ...COUNT_ONLY, storeClient, keyPrefix: 'lamplighter:limit' })
  }

  return {
    async count(subject) {
      opened ??= open()
      const limiter = await opened
      const { consumedPoints, msBeforeNext } = await limiter.penalty(subject)
      return { used: consumedPoints, resetMs: msBeforeNext }
    },
    async giveBack(subject) {
      opened ??= open()
      await (await opened).reward(subject)
    },
    // Redis deletes ended windows itself.
    forgetEnded: async () => {},
    async close() {
      connection?.disconnect()
    },
  }
}
