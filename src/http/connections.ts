// Shares the time of the process among connections, and closes them when it ends.

import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Shutdown } from '../core/shutdown.ts'
import { SECOND } from '../core/time-units.ts'

/** Clients that pipeline send some requests ahead. */
const MOST_UNANSWERED = 32

/**
 * What requests that arrive together may take of one turn of the event loop. In as much time as
 * many begin as the database answers in one statement.
 */
const TURN_MS = 20

/**
 * How often Node looks for requests that did not arrive in time. It answers all that it finds in
 * one turn of the event loop. By itself it looks every half minute, so that thousands of them would
 * delay all other clients, and a request would have up to a minute.
 */
export const LOOKING_FOR_LATE: ServerOptions = { connectionsCheckingInterval: SECOND }

type Listener = (request: IncomingMessage, response: ServerResponse) => void

type Work = () => void

/**
 * Node hands over all requests that have arrived, of all connections, in the same turn of the event
 * loop: thousands of them would delay all other clients, and those answered at once need no key.
 * So a connection's next request begins when the one before it is answered, as its client reads
 * them in that order anyway, and what does not begin in its turn begins in a later one. No client
 * of ours sends more than 32 requests before their first answer, so such a connection is closed.
 */
export function shareTurns(server: Server): void {
  const begin = shortTurns()
  const behind = new WeakMap<Socket, Work[]>()
  const listeners = server.listeners('request') as Listener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    const work = () => {
      if (socket.destroyed) return
      response.once('close', () => beginNext(socket))
      for (const listener of listeners) listener.call(server, request, response)
    }
    const others = behind.get(socket)
    if (others === undefined) {
      behind.set(socket, [])
      begin(work)
    } else if (others.length < MOST_UNANSWERED - 1) others.push(work)
    else socket.destroy()
  })

  function beginNext(socket: Socket): void {
    const next = behind.get(socket)?.shift()
    if (next === undefined) behind.delete(socket)
    else begin(next)
  }
}

/** Returns a function that does work at once, or in a later turn if this one is long enough. */
function shortTurns(): (work: Work) => void {
  const waiting: Work[] = []
  let leftMs = TURN_MS
  let isCounting = false

  function take(work: Work): void {
    const startMs = performance.now()
    work()
    leftMs -= performance.now() - startMs
  }

  function endTurn(): void {
    isCounting = leftMs < TURN_MS || waiting.length > 0
    leftMs = TURN_MS
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      take(next)
      if (leftMs <= 0) break
    }
    if (isCounting) setImmediate(endTurn)
  }

  return (work) => {
    if (!isCounting) {
      isCounting = true
      setImmediate(endTurn)
    }
    if (leftMs > 0 && waiting.length === 0) take(work)
    else waiting.push(work)
  }
}

/**
 * A connection that is kept alive would keep a closing process alive, and a caller that sends a
 * request just as it is closed would get no answer. So once the end is near, every answer is the
 * last of its connection.
 */
export function drainConnections(app: FastifyInstance, shutdown: Shutdown): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing || shutdown.hasBegun) reply.header('connection', 'close')
  })
  // Its answer may have begun before the end was known.
  app.addHook('onResponse', async () => {
    if (isClosing) setImmediate(() => app.server.closeIdleConnections())
  })
}
