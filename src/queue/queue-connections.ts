// The connections of the queues on PostgreSQL: one that listens for all workers of this process and
// a few for statements, each of which is prepared once on each connection.
//
// PostgreSQL wakes every connection that listens, to whatever channel, at every notification in its
// database. BullMQ would open one for each worker: a charge would wake a dozen for nothing, twice.

import { EventEmitter } from 'node:events'
import type pg from 'pg'

type Values = readonly unknown[]

/** The part of a pool that BullMQ needs. Its clients are listeners. */
export class QueueConnections {
  readonly options = { keepAlive: true }
  readonly #pool: pg.Pool
  /** By their texts. BullMQ has a fixed number of statements. */
  readonly #names = new Map<string, string>()
  readonly #listeners = new Set<Listener>()
  #listening: ListeningConnection | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  query(text: string, values: Values = []): Promise<pg.QueryResult> {
    const name = this.#names.get(text) ?? `queue ${this.#names.size}`
    this.#names.set(text, name)
    return this.#pool.query({ name, text, values: [...values] })
  }

  async connect(): Promise<Listener> {
    return new Listener(this)
  }

  /** Every queue and worker would report each error of the pool, which reports it itself. */
  on(): void {}

  /** A worker that is cut off in the middle of its work never leaves. */
  async end(): Promise<void> {
    this.#listening?.close()
    this.#listening = undefined
    await this.#pool.end()
  }

  /** If it fails, all listeners get the error, because they lose their connection too. */
  async listen(listener: Listener, text: string): Promise<void> {
    this.#listeners.add(listener)
    this.#listening ??= this.#open()
    const connection = this.#listening
    try {
      await connection.subscribe(text)
    } catch (error) {
      this.#lose(connection, error as Error)
      throw error
    }
  }

  /** The last one closes the connection, because its subscriptions would stay. */
  leave(listener: Listener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return
    this.#listening?.close()
    this.#listening = undefined
  }

  #open(): ListeningConnection {
    const opened: ListeningConnection = new ListeningConnection(this.#pool, {
      notified: (message) => this.#emitToAll('notification', message),
      lost: (error) => this.#lose(opened, error),
    })
    return opened
  }

  /** Each listener gets the error, connects again, and subscribes on the next connection. */
  #lose(connection: ListeningConnection, error: Error): void {
    connection.close()
    if (this.#listening !== connection) return
    this.#listening = undefined
    this.#emitToAll('error', error)
  }

  #emitToAll(event: 'notification' | 'error', about: pg.Notification | Error): void {
    for (const listener of this.#listeners) listener.emit(event, about)
  }
}

interface Hears {
  notified(message: pg.Notification): void
  lost(error: Error): void
}

class ListeningConnection {
  readonly #client: Promise<pg.PoolClient>
  /** By its statement: several workers listen to one channel. */
  readonly #subscribed = new Map<string, Promise<unknown>>()
  #last: Promise<unknown>
  #isClosed = false

  constructor(pool: pg.Pool, { notified, lost }: Hears) {
    this.#client = pool.connect().then((client) => {
      client.on('notification', notified)
      client.once('error', lost)
      return client
    })
    this.#last = this.#client
  }

  /** One statement after the other, as `pg` wants it. */
  async subscribe(text: string): Promise<void> {
    const begun = this.#subscribed.get(text)
    const subscribing = begun ?? this.#last.then(async () => (await this.#client).query(text))
    this.#subscribed.set(text, subscribing)
    if (begun === undefined) this.#last = subscribing
    await subscribing
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#client.then(
      (client) => client.release(true),
      () => {}, // it was never opened
    )
  }
}

const SUBSCRIBES = /^LISTEN /m
const NAMES_CONNECTION = /application_name/

/** What BullMQ takes for a client of its own. It emits `notification` and `error`. */
export class Listener extends EventEmitter {
  readonly #connections: QueueConnections

  constructor(connections: QueueConnections) {
    super()
    this.#connections = connections
  }

  async query(text: string, values?: Values): Promise<pg.QueryResult | undefined> {
    if (!SUBSCRIBES.test(text) && !NAMES_CONNECTION.test(text)) {
      return this.#connections.query(text, values)
    }
    // The connection belongs to no single worker, so none names it.
    if (SUBSCRIBES.test(text)) await this.#connections.listen(this, text)
    return undefined
  }

  release(): void {
    this.#connections.leave(this)
  }
}
