// Answers errors of the console: a page for a browser, JSON for a script.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { OperatorError } from '../core/operator-error.ts'
import { isUnavailable, reportUnavailable } from '../db/unavailable.ts'
import { wantsPage } from '../web/html.ts'
import { PageRefusal, pageProblem } from '../web/page-refusal.ts'
import type { World } from '../world.ts'
import { answerConsole } from './answer-console.tsx'
import { answerStranger } from './guard.ts'
import { operatorBehind } from './who.ts'

interface ErrorText {
  readonly status: number
  readonly title: string
  readonly message: string
}

export function answerConsoleErrors(own: FastifyInstance, world: World): void {
  own.setErrorHandler<FastifyError>((error, request, reply) => {
    const text = errorTextOf(error)
    if (text.status >= 500) log(world, error, request)
    return sendError(reply, text, error)
  })
  own.setNotFoundHandler(async (request, reply) => {
    const operator = await operatorBehind(world, request)
    if (operator === undefined) return answerStranger(world, reply)
    request.operator = operator
    const message = 'There is no page at this address.'
    return sendError(reply, { status: 404, title: 'Not found', message })
  })
}

function log(world: World, error: FastifyError, { id: request_id }: FastifyRequest): void {
  if (!reportUnavailable(world.outages, error, request_id)) {
    world.log.error({ err: error, request_id }, 'page failed')
  }
}

function sendError(reply: FastifyReply, text: ErrorText, error?: Error): FastifyReply {
  const { request } = reply
  const { status, title, message } = text
  if (!wantsPage(request)) return reply.code(status).send(pageProblem(error, text, request.id))
  return answerConsole(
    reply,
    { title, status },
    <>
      <p>{message}</p>
      <p class="quiet">Request {request.id}</p>
    </>,
  )
}

function errorTextOf(error: FastifyError | Refusal | PageRefusal | OperatorError): ErrorText {
  if (error instanceof PageRefusal) return error
  if (error instanceof Refusal) {
    return {
      status: error.status,
      title: TITLES[error.status] ?? 'Refused',
      message: error.message,
    }
  }
  if (error instanceof OperatorError) {
    return { status: 400, title: 'This can’t be done', message: error.message }
  }
  if (isUnavailable(error)) {
    const message = 'The database does not answer in time. Nothing is lost; try again in a moment.'
    return { status: 503, title: 'Not now', message }
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  if (status < 500) return { status, title: 'The request is invalid', message: error.message }
  const message = 'Something went wrong on our side; the log has it under the request below.'
  return { status: 500, title: 'Something went wrong', message }
}

const TITLES: Readonly<Record<number, string>> = {
  401: 'Sign in first',
  404: 'Not found',
  409: 'Not possible now',
  429: 'Too many tries',
}
