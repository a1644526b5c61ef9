// Answers with a body that is text already, so that a repeat of a key gets the same bytes.

import type { FastifyReply } from 'fastify'
import type { Done } from '../../idempotency/once.ts'
import { textFor } from '../speak-dialect.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends a body that is JSON text already, the same for every repeat of a key of one dialect. */
export function answerText(reply: FastifyReply, status: number, body: string): FastifyReply {
  const text = textFor(reply.request, body)
  return reply.code(status).type(JSON_TYPE).serializer(String).send(text)
}

export function answerOnce(reply: FastifyReply, done: Done): FastifyReply {
  if (done.isReplayed) reply.header('idempotent-replayed', 'true')
  return answerText(reply, done.status, done.body)
}
