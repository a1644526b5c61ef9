// Replies by publish and subscribe.

import { randomBytes } from 'node:crypto'
import type { OnEngineError } from './engine.ts'
import type { RedisConnection } from './redis-connection.ts'
import { Expectations, Outgoing, type Replies } from './replies.ts'

/** A message is read at one go by the process that waits: not too long. */
const MOST_IDS = 500

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
  subscriber.on('message', (_channel: string, ids: string) => {
    for (const id of ids.split(',')) expectations.arrived(id)
  })
  subscriber.on('ready', () => expectations.arrivedPerhaps())
  subscriber.subscribe(address).then(() => expectations.arrivedPerhaps(), onError)
  return {
    address,
    expect: (id, wake) => expectations.add(id, wake),
    wakeAll: () => expectations.arrivedPerhaps(),
    tell: (to, id) => (to === address ? expectations.arrived(id) : outgoing.add(to, id)),
    async close() {
      await outgoing.sent()
      subscriber.disconnect()
    },
  }
}
