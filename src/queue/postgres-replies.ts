// Replies by LISTEN and NOTIFY.

import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { SECOND } from '../core/time-units.ts'
import type { OnEngineError } from './engine.ts'
import { Expectations, Outgoing, type Replies } from './replies.ts'

/** A notification holds at most 7,999 bytes: 216 ids with their commas. */
const MOST_IDS = 200

const RECONNECT_MS = SECOND

export function postgresReplies(pool: pg.Pool, onError: OnEngineError): Replies {
  const address = `lamplighter_${randomBytes(8).toString('hex')}`
  const expectations = new Expectations()
  const outgoing = new Outgoing(
    async (to, ids) => {
      await pool.query({
        name: 'notify',
        text: 'SELECT pg_notify($1, $2)',
        values: [to, ids.join()],
      })
    },
    MOST_IDS,
    onError,
  )
  const listener = new Listener(pool, address, expectations, onError)
  listener.start()
  return {
    address,
    expect: (id, wake) => expectations.add(id, wake),
    wakeAll: () => expectations.arrivedPerhaps(),
    wakeLongWaiting: () => expectations.wakeLongWaiting(),
    // The process that finished a row is often the one whose caller waits for it.
    tell: (to, id) => (to === address ? expectations.arrived(id) : outgoing.add(to, id)),
    async close() {
      await outgoing.sent()
      await listener.stop()
    },
  }
}

class Listener {
  readonly #pool: pg.Pool
  readonly #channel: string
  readonly #expectations: Expectations
  readonly #onError: OnEngineError
  #client: pg.PoolClient | undefined
  #retry: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(pool: pg.Pool, channel: string, expectations: Expectations, onError: OnEngineError) {
    this.#pool = pool
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
    this.#client?.release(true)
    this.#client = undefined
  }

  async #listen(): Promise<void> {
    const client = await this.#pool.connect()
    if (this.#isStopped) return client.release()
    this.#client = client
    client.on('error', (error) => this.#lost(error))
    client.on('notification', ({ payload = '' }) => {
      for (const id of payload.split(',')) this.#expectations.arrived(id)
    })
    await client.query(`LISTEN "${this.#channel}"`)
    this.#expectations.arrivedPerhaps()
  }

  #lost(error: Error): void {
    this.#client?.release(true)
    this.#client = undefined
    if (this.#isStopped) return
    this.#onError(error)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.start(), RECONNECT_MS)
  }
}
