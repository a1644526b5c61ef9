// Limits the unanswered requests of a connection, and closes connections when the process ends.

import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Shutdown } from '../core/shutdown.ts'
import { SECOND } from '../core/time-units.ts'

/** Clients that pipeline send some requests ahead. */
const MOST_UNANSWERED = 32

/**
 * How often Node looks for requests that did not arrive in time. It answers all that it finds in
 * one turn of the event loop. By itself it looks every half minute, so that thousands of them would
 * delay all other clients, and a request would have up to a minute.
 */
export const LOOKING_FOR_LATE: ServerOptions = { connectionsCheckingInterval: SECOND }

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * How many requests a connection may have without an answer. Node hands over all requests that came
 * in one packet in the same turn of the event loop: thousands of them would delay all other
 * clients. No client of ours sends more than this before its first answer, so such a connection is
 * closed.
 */
export function boundPipelines(server: Server): void {
  const unanswered = new WeakMap<Socket, number>()
  const listeners = server.listeners('request') as Listener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const before = unanswered.get(socket) ?? 0
    if (before >= MOST_UNANSWERED) {
      socket.destroy()
      return
    }
    unanswered.set(socket, before + 1)
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    for (const listener of listeners) listener.call(server, request, response)
  })
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
