// Replies by LISTEN and NOTIFY.

import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { SECOND } from '../core/time-units.ts'
import type { OnEngineError } from './engine.ts'
import type { Listener, QueueConnections } from './queue-connections.ts'
import { Expectations, Outgoing, type Replies } from './replies.ts'

/** A notification holds at most 7,999 bytes: 216 ids with their commas. */
const MOST_IDS = 200

const RECONNECT_MS = SECOND

export function postgresReplies(connections: QueueConnections, onError: OnEngineError): Replies {
  const address = `lamplighter_${randomBytes(8).toString('hex')}`
  const expectations = new Expectations()
  const outgoing = new Outgoing(
    async (to, ids) => {
      await connections.query('SELECT pg_notify($1, $2)', [to, ids.join()])
    },
    MOST_IDS,
    onError,
  )
  const channel = new OwnChannel(connections, address, expectations, onError)
  channel.start()
  return {
    address,
    expect: (id, wake) => expectations.add(id, wake),
    wakeAll: () => expectations.arrivedPerhaps(),
    wakeLongWaiting: () => expectations.wakeLongWaiting(),
    // The process that finished a row is often the one whose caller waits for it.
    reply: (to, id) => (to === address ? expectations.arrived(id) : outgoing.add(to, id)),
    async close() {
      await outgoing.sent()
      await channel.stop()
    },
  }
}

class OwnChannel {
  readonly #connections: QueueConnections
  readonly #channel: string
  readonly #expectations: Expectations
  readonly #onError: OnEngineError
  #listener: Listener | undefined
  #retry: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(
    connections: QueueConnections,
    channel: string,
    expectations: Expectations,
    onError: OnEngineError,
  ) {
    this.#connections = connections
    this.#channel = channel
    this.#expectations = expectations
    this.#onError = onError
  }

  start(): void {
    void this.#listen().catch((error) => this.#lost(error))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#retry)
    this.#listener?.release()
    this.#listener = undefined
  }

  async #listen(): Promise<void> {
    const listener = await this.#connections.connect()
    if (this.#isStopped) return
    this.#listener = listener
    listener.on('error', (error) => this.#lost(error))
    listener.on('notification', ({ channel, payload = '' }: pg.Notification) => {
      if (channel !== this.#channel) return
      for (const id of payload.split(',')) this.#expectations.arrived(id)
    })
    await listener.query(`LISTEN "${this.#channel}"`)
    this.#expectations.arrivedPerhaps()
  }

  #lost(error: Error): void {
    this.#listener?.release()
    this.#listener = undefined
    if (this.#isStopped) return
    this.#onError(error)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.start(), RECONNECT_MS)
  }
}
