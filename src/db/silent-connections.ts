// Ends connections that are not there any more, though nobody has said so: a firewall that has
// forgotten them, a cable, a host that went without a word. What is sent on one is never answered,
// and TCP takes a quarter of an hour to find out.
//
//   something was sent, and nothing came back in time      it is ended
//   it only listens, and has heard nothing for a while     it is asked, and answers or is ended
//   one was ended                                          so are the others that were as silent
//
// Who waits for an answer is told that the database is away, and the pool opens another.

import type { Socket } from 'node:net'
import type pg from 'pg'
import { SECOND } from '../core/time-units.ts'

export interface SilentConnections {
  watch(pool: pg.Pool, limits: SilenceLimits): void
}

export interface SilenceLimits {
  /** Longer than the server itself allows a statement: whoever is silent after that is gone. */
  readonly answerWithinMs: number
  /** Of a connection that is only listened to; absent where a pool has none. */
  readonly askAfterMs?: number
}

/** A question that costs nothing is answered by a busy server as well. */
const PING_WITHIN_MS = 5 * SECOND

const LOOK_EVERY_MS = SECOND

interface Connection {
  readonly client: pg.PoolClient
  readonly socket: Socket
  readonly limits: SilenceLimits
  /** In the time of `performance.now()`. */
  heardAtMs: number
  /** Of what was sent before it was last heard. */
  sentBytes: number
  /** Looks that found something unanswered: the time that we ourselves slept is not counted. */
  looksInVain: number
  /** When the first of them was. */
  firstInVainMs: number
  isPinged: boolean
}

export function silentConnections(): SilentConnections {
  const connections = new Map<pg.PoolClient, Connection>()
  let looking: NodeJS.Timeout | undefined

  function look(): void {
    for (const connection of connections.values()) observe(connection)
    const gone = [...connections.values()].find(isGone)
    if (gone !== undefined) endAllAsSilentAs(gone)
  }

  function endAllAsSilentAs({ firstInVainMs }: Connection): void {
    for (const { heardAtMs, socket } of connections.values()) {
      if (heardAtMs <= firstInVainMs) socket.destroy(new Error('nothing came back in time'))
    }
  }

  function forget(client: pg.PoolClient): void {
    connections.delete(client)
    if (connections.size > 0) return
    clearInterval(looking)
    looking = undefined
  }

  return {
    watch(pool, limits) {
      pool.on('connect', (client) => {
        connections.set(client, listenTo(client, limits))
        looking ??= setInterval(look, LOOK_EVERY_MS).unref()
      })
      pool.on('remove', forget)
    },
  }
}

function listenTo(client: pg.PoolClient, limits: SilenceLimits): Connection {
  const socket = socketOf(client)
  const connection: Connection = {
    client,
    socket,
    limits,
    heardAtMs: performance.now(),
    sentBytes: socket.bytesWritten,
    looksInVain: 0,
    firstInVainMs: 0,
    isPinged: false,
  }
  socket.on('data', () => {
    connection.heardAtMs = performance.now()
    connection.sentBytes = socket.bytesWritten
    connection.looksInVain = 0
    connection.isPinged = false
  })
  return connection
}

function observe(connection: Connection): void {
  const { client, socket, limits, heardAtMs, sentBytes } = connection
  if (socket.bytesWritten > sentBytes) {
    if (connection.looksInVain === 0) connection.firstInVainMs = performance.now()
    connection.looksInVain += 1
  } else if (performance.now() - heardAtMs > (limits.askAfterMs ?? Number.POSITIVE_INFINITY)) {
    connection.isPinged = true
    client.query('SELECT').catch(() => {}) // the connection itself tells of its end
  }
}

function isGone({ looksInVain, isPinged, limits }: Connection): boolean {
  const withinMs = isPinged ? PING_WITHIN_MS : limits.answerWithinMs
  return looksInVain * LOOK_EVERY_MS > withinMs
}

export function socketOf(client: pg.PoolClient): Socket {
  const { stream } = (client as pg.PoolClient & { readonly connection: pg.Connection }).connection
  return stream as Socket
}
