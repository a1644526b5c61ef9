// Counts in Redis for all processes together: one script counts the requests of a subject that come
// in the same turn of the event loop, and returns the rest of the window. A busy caller's requests
// come together, because they were looked up together.

import { once } from 'node:events'
import { setImmediate as afterThisTurn } from 'node:timers/promises'
import type { RateLimiterRedis } from 'rate-limiter-flexible'
import type { RedisTarget } from '../config/redis-target.ts'
import { ANSWER_MS, connectRedis, type RedisConnection } from '../queue/redis-connection.ts'
import { COUNT_ONLY, type Counted, type RequestCounter } from './counter.ts'

/**
 * No request waits for a Redis that is away, and nothing is sent to it later: those requests were
 * counted elsewhere.
 */
const AT_ONCE = { maxRetriesPerRequest: 0, enableOfflineQueue: false, socketTimeout: ANSWER_MS }

/** A window that has ended since has nothing to give back, and none may begin below zero. */
const GIVE_BACK = `
  if tonumber(redis.call('get', KEYS[1]) or 0) > 0 then redis.call('decr', KEYS[1]) end`

/** Requests of one subject that are counted together. */
interface Round {
  size: number
  /** The counts as of the last of them. */
  readonly counted: Promise<Counted>
}

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

  /** Rounds that have not been sent, by their subjects. */
  const rounds = new Map<string, Round>()

  function roundOf(subject: string): Round {
    const begun = rounds.get(subject)
    if (begun !== undefined) return begun
    const round: Round = { size: 0, counted: afterThisTurn().then(() => send(subject, round)) }
    rounds.set(subject, round)
    return round
  }

  async function send(subject: string, round: Round): Promise<Counted> {
    rounds.delete(subject)
    opened ??= open()
    const limiter = await opened
    const { consumedPoints, msBeforeNext } = await limiter.penalty(subject, round.size)
    return { used: consumedPoints, resetMs: msBeforeNext }
  }

  return {
    async count(subject) {
      const round = roundOf(subject)
      round.size += 1
      const place = round.size
      const { used, resetMs } = await round.counted
      return { used: used - round.size + place, resetMs }
    },
    async giveBack(subject) {
      opened ??= open()
      const key = (await opened).getKey(subject)
      await connection?.eval(GIVE_BACK, 1, key)
    },
    // Redis deletes ended windows itself.
    forgetEnded: async () => {},
    async close() {
      connection?.disconnect()
    },
  }
}
