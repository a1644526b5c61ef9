// Answers errors on payers' pages: a page for a browser, JSON for the page's own script. Neither
// reveals internals, and no log holds what the payer sent.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { VNode } from 'preact'
import { Refusal } from '../core/errors.ts'
import { isUnavailable, reportUnavailable } from '../db/unavailable.ts'
import { answerHtml, wantsPage } from '../web/html.ts'
import { pageProblem } from '../web/page-refusal.ts'
import type { World } from '../world.ts'
import { Notice } from './parts/pay-page.tsx'
import type { Payee } from './payee.ts'
import { type Explained, PayerRefusal } from './payment-refusals.ts'
import type { Texts } from './texts/en.ts'
import { inLanguage, PageViewer, type Viewer, viewerOf } from './viewer.ts'

/** A database often recovers within this time, and most payers still wait that long. */
const RETRY_AFTER_S = 5

export function answerPageErrors(own: FastifyInstance, world: World): void {
  own.setErrorHandler<FastifyError>((error, request, reply) => {
    const { status, explain, payee } = refusalOf(error)
    if (status >= 500 && payee === undefined) log(world, error, request)
    if (status === 503 && payee === undefined) reply.header('retry-after', RETRY_AFTER_S)
    const viewer = viewerOf(request, payee)
    const { title, message } = explain(viewer.texts)
    if (wantsJson(request)) {
      // The script reloads the page, which then shows the same text.
      const reload = payee === undefined ? {} : { reload: true }
      const problem = pageProblem(error, { status, title, message }, request.id)
      return answerJson(inLanguage(reply, viewer), status, { ...problem, ...reload })
    }
    return answerPage(
      reply,
      viewer,
      <Notice title={title} payee={payee}>
        <p>{message}</p>
      </Notice>,
      status,
    )
  })
}

export function answerPage(
  reply: FastifyReply,
  viewer: Viewer,
  page: VNode,
  status = 200,
): FastifyReply {
  const seen = <PageViewer.Provider value={viewer}>{page}</PageViewer.Provider>
  return answerHtml(inLanguage(reply, viewer), seen, status)
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

function log(world: World, error: FastifyError, request: FastifyRequest): void {
  const { id: request_id } = request
  if (!reportUnavailable(world.outages, error, request_id)) {
    world.log.error({ err: error, request_id }, 'page failed')
  }
}

interface Refused {
  readonly status: number
  readonly explain: (texts: Texts) => Explained
  readonly payee?: Payee
}

function refusalOf(error: FastifyError | Refusal | PayerRefusal): Refused {
  if (error instanceof PayerRefusal) return error
  if (isUnavailable(error)) return { status: 503, explain: ({ refusals }) => refusals.noAnswer }
  const status = error instanceof Refusal ? error.status : (error.statusCode ?? 500)
  if (status < 500) return { status, explain: ({ refusals }) => refusals.incomplete }
  return {
    status: error instanceof Refusal ? status : 500,
    explain: ({ refusals }) => refusals.broken,
  }
}
