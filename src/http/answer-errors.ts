// Answers every error in the documented form, without internals.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, problemOf, Refusal } from '../core/errors.ts'
import { reportUnavailable } from '../db/unavailable.ts'
import type { Schema } from '../resource/json-schema.ts'
import { ANSWER_RULES } from '../web/browser-rules.ts'
import type { World } from '../world.ts'
import { refusalOf } from './validation.ts'

/**
 * Long enough for a database to come back from a restart, short enough for a caller to still wait.
 */
const RETRY_AFTER_S = 2

const KIB = 1024
const MIB = 1024 * KIB

const BY_FASTIFY_CODE: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}

export function answerErrors(app: FastifyInstance, world: World): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = toRefusal(error, request) ?? serverFault(error, request, world)
    // Fastify closes the connection, and a caller that still sends would lose the answer. While
    // it stays open, Node reads the rest of the body and drops it.
    if (refusal.code === 'body_too_large') reply.removeHeader('connection')
    return refuse(reply, refusal)
  })
  app.setNotFoundHandler((_request, reply) => refuse(reply, new Refusal('not_found')))
}

/** Answers errors that Fastify finds before there is a route, and so before any hook. */
export function answerFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.headers({ ...ANSWER_RULES, 'x-request-id': request.id })
  refuse(reply, toRefusal(error, request) ?? new Refusal('invalid_request'))
}

export function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { request } = reply
  if (refusal.status === 503 && !reply.hasHeader('retry-after')) {
    reply.header('retry-after', RETRY_AFTER_S)
  }
  request.refusal = refusal
  return reply.code(refusal.status).send(problemOf(refusal, request.id))
}

function toRefusal(error: FastifyError | Refusal, request: FastifyRequest): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error.validation !== undefined) {
    const part = error.validationContext as 'body' | 'querystring'
    const schema = request.routeOptions.schema?.[part] as Schema | undefined
    const sent = { body: request.body, querystring: request.query }[part]
    return refusalOf(error.validation, part, schema, sent)
  }
  const code = BY_FASTIFY_CODE[error.code ?? '']
  if (code === 'body_too_large') return tooLarge(request)
  if (code !== undefined) return new Refusal(code)
  // Faults that Fastify itself found in the request, such as a body shorter than announced.
  const isCallersFault = error.statusCode !== undefined && error.statusCode < 500
  return isCallersFault ? new Refusal('invalid_request') : undefined
}

/** Routes that read no merchant's body read less than others, and their callers see how much. */
function tooLarge({ routeOptions, server }: FastifyRequest): Refusal {
  const bytes = routeOptions.bodyLimit ?? server.initialConfig.bodyLimit ?? 0
  const text = bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`
  return new Refusal('body_too_large', { message: `the body is larger than ${text}` })
}

function serverFault(err: unknown, { id, log }: FastifyRequest, world: World): Refusal {
  if (reportUnavailable(world.outages, err, id)) return new Refusal('unavailable')
  log.error({ err }, 'request failed')
  return new Refusal('internal_error')
}
