// No caller waits longer than its patience: a request that is not answered by then is answered 503,
// whatever it waits for. A database that is frozen keeps its connections open and answers nothing
// on them, and is found out some seconds later.
//
// What was asked for may have been done, or may be done yet: as with every 503 the caller repeats
// it with its idempotency key, and it is done once.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends what waits for its answer. */
    late: NodeJS.Timeout | undefined
  }
}

/** Beyond the wait for an outcome: what reading and writing take around it on a busy machine. */
const BEYOND_WAIT_MS = 0.8 * SECOND

/** Where charges hardly wait, or not at all, a slow statement is still given its time. */
const LEAST_MS = 5 * SECOND

export function answerInTime(app: FastifyInstance, { config, outages }: World): void {
  const patienceMs = Math.max(config.chargeWaitMs + BEYOND_WAIT_MS, LEAST_MS)
  app.decorateRequest('late', undefined)
  app.addHook('onRequest', async (request, reply) => {
    request.late = setTimeout(giveUp, patienceMs, reply, outages, patienceMs).unref()
  })
  // A file that has begun goes on.
  app.addHook('onSend', async ({ late }) => clearTimeout(late))
}

function giveUp(reply: FastifyReply, outages: World['outages'], patienceMs: number): void {
  if (reply.sent || reply.raw.destroyed) return
  const err = new Error(`no answer within ${patienceMs} ms`)
  outages.tell('requests are answered 503: they took too long', {
    err,
    request_id: reply.request.id,
  })
  reply.send(new Refusal('unavailable'))
  // An answer that comes after this one is no fault, and Fastify would log each as one.
  reply.log = reply.log.child({}, { level: 'silent' })
}
