// Replies by publish and subscribe.

import { randomBytes } from 'node:crypto'
import { SECOND } from '../core/time-units.ts'
import type { OnEngineError } from './engine.ts'
import type { RedisConnection } from './redis-connection.ts'
import { Expectations, Outgoing, type Replies } from './replies.ts'

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

export function redisReplies(
  publisher: RedisConnection,
  subscriber: RedisConnection,
  onError: OnEngineError,
): Replies {
  const address = `lamplighter:replies:${randomBytes(8).toString('hex')}`
  const expectations = new Expectations()
  const outgoing = new Outgoing(
    async (to, ids) => {
      await publisher.publish(to, ids.join())
    },
    MOST_IDS,
    onError,
  )
  let heardAtMs = performance.now()
  subscriber.on('message', (_channel: string, ids: string) => {
    heardAtMs = performance.now()
    for (const id of ids.split(',')) expectations.arrived(id)
  })
  subscriber.on('ready', () => {
    heardAtMs = performance.now()
    expectations.arrivedPerhaps()
  })
  const hearing = setInterval(() => {
    if (subscriber.status !== 'ready' || publisher.status !== 'ready') return
    if (performance.now() - heardAtMs > DEAF_MS) subscriber.disconnect(true)
    else outgoing.add(address, NO_ROW)
  }, HEAR_EVERY_MS).unref()
  subscriber.subscribe(address).then(() => expectations.arrivedPerhaps(), onError)
  return {
    address,
    expect: (id, wake) => expectations.add(id, wake),
    wakeAll: () => expectations.arrivedPerhaps(),
    wakeLongWaiting: () => expectations.wakeLongWaiting(),
    reply: (to, id) => (to === address ? expectations.arrived(id) : outgoing.add(to, id)),
    async close() {
      clearInterval(hearing)
      await outgoing.sent()
      subscriber.disconnect()
    },
  }
}
