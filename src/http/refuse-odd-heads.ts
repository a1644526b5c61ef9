// Requests that Node would refuse by itself, without a body: those without a Host, and those that
// expect what a server cannot do. They are refused here, in the usual form.

import type { IncomingMessage, Server, ServerOptions } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { refuse } from './answer-errors.ts'

/** For each server whose requests come to the app, beside `passOnExpectations`. */
export const WITH_ODD_HEADS: ServerOptions = { requireHostHeader: false }

const UNMET = new WeakSet<IncomingMessage>()

export function passOnExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => {
    UNMET.add(request)
    server.emit('request', request, response)
  })
}

export function refuseOddHeads(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    if (UNMET.has(raw)) return refuse(reply, new Refusal('expectation_failed'))
    // HTTP/1.0 knows no Host.
    if (raw.headers.host !== undefined || raw.httpVersion !== '1.1') return
    const message = 'the header `Host` is missing'
    reply.header('connection', 'close')
    return refuse(reply, new Refusal('invalid_request', { message }))
  })
}
