// Answers errors on payers' pages: a page for a browser, JSON for the page's own script. Neither
// reveals internals, and no log holds what the payer sent.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { isDatabaseAway, whyAway } from '../db/failure.ts'
import { answerHtml, wantsPage } from '../web/html.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import type { World } from '../world.ts'
import { Notice } from './parts/pay-page.tsx'
import { PaymentRefusal } from './payment-refusals.ts'

/** A database often recovers within this time, and most payers still wait that long. */
const RETRY_AFTER_S = 5

export function answerPageErrors(own: FastifyInstance, world: World): void {
  own.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error instanceof PaymentRefusal) return answerPaymentRefusal(error, request, reply)
    const told = toldOf(error)
    if (told.status >= 500) log(world, error, request)
    if (told.status === 503) reply.header('retry-after', RETRY_AFTER_S)
    const { status, title, message } = told
    if (wantsJson(request)) return answerJson(reply, status, { error: title, message })
    return answerHtml(
      reply,
      <Notice title={title}>
        <p>{message}</p>
      </Notice>,
      status,
    )
  })
}

/** True when the page's script sent the request, not the address bar. */
export function wantsJson(request: Pick<FastifyRequest, 'headers'>): boolean {
  return !wantsPage(request) && isOfScript(request.headers)
}

function isOfScript(headers: FastifyRequest['headers']): boolean {
  return [headers.accept, headers['content-type']].some((type) =>
    String(type ?? '').startsWith('application/json'),
  )
}

export function answerJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').send(body)
}

/** The script reloads the page, which then shows the same text. */
function answerPaymentRefusal(
  { status, title, payee, words }: PaymentRefusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (wantsJson(request)) {
    return answerJson(reply, status, { error: title, message: words, reload: true })
  }
  return answerHtml(
    reply,
    <Notice title={title} payee={payee}>
      <p>{words}</p>
    </Notice>,
    status,
  )
}

function log(world: World, error: FastifyError, request: FastifyRequest): void {
  const { id: request_id } = request
  if (isDatabaseAway(error))
    world.outages.tellDatabaseAway(whyAway(error), { err: error, request_id })
  else world.log.error({ err: error, request_id }, 'page failed')
}

interface Told {
  readonly status: number
  readonly title: string
  readonly message: string
}

const BROKEN = { status: 400, title: 'Your request was incomplete', message: 'Please try again.' }

function toldOf(error: FastifyError | Refusal | PageRefusal): Told {
  if (error instanceof PageRefusal) return error
  if (isDatabaseAway(error)) {
    const message = 'We can’t answer right now. Please try again in a moment.'
    return { status: 503, title: 'One moment', message }
  }
  if (error instanceof Refusal) {
    return error.status < 500 ? { ...BROKEN, status: error.status } : failed(error.status)
  }
  const status = error.statusCode ?? 500
  return status < 500 ? { ...BROKEN, status } : failed(500)
}

function failed(status: number): Told {
  const message =
    'Something went wrong on our side. Please reload the page to see what has been paid.'
  return { status, title: 'Something went wrong', message }
}
