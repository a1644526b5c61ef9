// Lets a minute pass for the rate counters: in the service's clock, and in Redis, which has its
// own.

import { Redis } from 'ioredis'
import type { Clock } from '../../src/outside/clock.ts'
import type { PrivateRedis } from './redis.ts'

/** The keys of request windows in Redis. */
const WINDOW_KEYS = 'lamplighter:limit:*'

export interface MovableClock extends Clock {
  move(ms: number): void
}

/** It runs on from the real time, and can be moved. */
export function movableClock(): MovableClock {
  let aheadMs = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    move(ms) {
      aheadMs += ms
    },
  }
}

/** Moves the clock by `ms`; windows in Redis lose as much of their remaining time. */
export async function letPass(
  ms: number,
  { clock, redis }: { readonly clock: MovableClock; readonly redis: PrivateRedis | undefined },
): Promise<void> {
  clock.move(ms)
  if (redis === undefined) return
  const client = new Redis(redis.port, '127.0.0.1')
  for (const key of await client.keys(WINDOW_KEYS)) {
    const leftMs = (await client.pttl(key)) - ms
    await (leftMs > 0 ? client.pexpire(key, leftMs) : client.del(key))
  }
  client.disconnect()
}
