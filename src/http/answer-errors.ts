// Every error as the contract's body, and nothing of the inside.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, Refusal } from '../core/errors.ts'
import { isDatabaseAway } from '../db/failure.ts'
import { refusalOf } from './validation.ts'

/**
 * Long enough for a database to come back from a restart, short enough for a caller to still care.
 */
const RETRY_AFTER_S = 2

const BY_FASTIFY_CODE: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = toRefusal(error)
    if (refusal === undefined) request.log.error({ err: error }, 'request failed')
    return refuse(reply, request, refusal ?? serverFault(error, request))
  })
  app.setNotFoundHandler((request, reply) => refuse(reply, request, new Refusal('not_found')))
}

/** For what Fastify finds wrong before there is a route, and so before any hook. */
export function answerFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header('x-request-id', request.id)
  refuse(reply, request, toRefusal(error) ?? new Refusal('invalid_request'))
}

export function refuse(reply: FastifyReply, request: FastifyRequest, refusal: Refusal) {
  if (refusal.status === 503) reply.header('retry-after', RETRY_AFTER_S)
  return reply.code(refusal.status).send({
    error: refusal.code,
    message: refusal.message,
    ...(refusal.faults === undefined ? {} : { errors: refusal.faults }),
    request_id: request.id,
  })
}

function toRefusal(error: FastifyError | Refusal): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error.validation !== undefined) {
    return refusalOf(error.validation, error.validationContext as 'body')
  }
  const code = BY_FASTIFY_CODE[error.code ?? '']
  if (code !== undefined) return new Refusal(code)
  // What Fastify itself found wrong with the request, such as a body shorter than it said.
  const isCallersFault = error.statusCode !== undefined && error.statusCode < 500
  return isCallersFault ? new Refusal('invalid_request') : undefined
}

function serverFault(error: unknown, { log }: FastifyRequest): Refusal {
  if (!isDatabaseAway(error)) return new Refusal('internal_error')
  log.debug('answered while the database is away')
  return new Refusal('unavailable')
}
