// Limits the time of every request: one without an answer by then gets 503, whatever it waits for.
// A frozen database, for example, keeps its connections open and answers nothing, and is noticed
// only some seconds later.
//
// The request may have been carried out, or may still be. As after every 503, the caller repeats it
// with its idempotency key, and it is done once.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the wait for an answer. */
    late: NodeJS.Timeout | undefined
    /** The time before its body was awaited. */
    spentMs: number
  }
}

/** Beyond the wait for an outcome: the time for reads and writes on a busy machine. */
const BEYOND_WAIT_MS = 0.8 * SECOND

/** If charges hardly wait or not at all, a slow statement still gets this time. */
const LEAST_MS = 5 * SECOND

export function answerInTime(app: FastifyInstance, { config, outages }: World): void {
  const patienceMs = Math.max(config.chargeWaitMs + BEYOND_WAIT_MS, LEAST_MS)
  app.decorateRequest('late', undefined)
  app.decorateRequest('spentMs', 0)
  const wait = (request: FastifyRequest, reply: FastifyReply, ms: number) => {
    request.late = setTimeout(giveUp, ms, reply, outages, patienceMs).unref()
  }
  app.addHook('onRequest', async (request, reply) => wait(request, reply, patienceMs))
  // The time in which a body arrives is its sender's. Node ends a request that arrives too slowly.
  app.addHook('preParsing', async (request, reply) => {
    clearTimeout(request.late)
    request.spentMs = reply.elapsedTime
  })
  app.addHook('preValidation', async (request, reply) => {
    wait(request, reply, Math.max(0, patienceMs - request.spentMs))
  })
  // A file that has begun may take longer.
  app.addHook('onSend', async ({ late }) => clearTimeout(late))
}

function giveUp(reply: FastifyReply, outages: World['outages'], patienceMs: number): void {
  if (reply.sent || reply.raw.destroyed) return
  const err = new Error(`no answer within ${patienceMs} ms`)
  outages.report('requests are answered 503: they took too long', {
    err,
    request_id: reply.request.id,
  })
  reply.send(new Refusal('unavailable'))
  // A later answer to the same request is no fault, but Fastify would log each as one.
  reply.log = reply.log.child({}, { level: 'silent' })
}
