// Closes connections that no longer work although no side has closed them: a firewall forgot them,
// a cable was pulled, or a host vanished. Data sent on such a connection are never answered, and
// TCP takes a quarter of an hour to notice.
//
//   something was sent, and nothing came back in time      it is closed
//   it only listens, and has heard nothing for a while     it is asked, and answers or is closed
//   one was closed                                         so are the others that were as silent
//
// A waiting caller gets the error that the database is away, and the pool opens another connection.

import type { Socket } from 'node:net'
import type pg from 'pg'
import { SECOND } from '../core/time-units.ts'

export interface SilentConnections {
  watch(pool: pg.Pool, limits: SilenceLimits): void
}

interface SilenceLimits {
  /**
   * Longer than the server allows for a statement: if nothing came by then, the connection is dead.
   */
  readonly answerWithinMs: number
  /** For connections that only listen. Absent if a pool has none. */
  readonly askAfterMs?: number
}

/** A busy server also answers an empty query within this time. */
const PING_WITHIN_MS = 5 * SECOND

const LOOK_EVERY_MS = SECOND

interface Connection {
  readonly client: pg.PoolClient
  readonly socket: Socket
  readonly limits: SilenceLimits
  /** On the clock of `performance.now()`. */
  heardAtMs: number
  /** The number of bytes sent before it last received something. */
  sentBytes: number
  /**
   * Checks that found no answer. Counting checks leaves out the time in which this process itself
   * slept.
   */
  looksInVain: number
  /** When the first of these checks was. */
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
    client.query('SELECT').catch(() => {}) // the connection reports its end itself
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
