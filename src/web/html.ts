// Pages as text. What stands in braces is escaped by the renderer, wherever it came from; nothing
// here or in the rooms that use it puts HTML together by hand.

import type { FastifyReply } from 'fastify'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** Nothing of ours is kept by a browser or by what stands between: pages tell of money. */
export const UNKEPT = 'no-store'

export function answerHtml(reply: FastifyReply, page: VNode, status = 200): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', UNKEPT)
    .serializer(String)
    .send(`<!doctype html>${renderToString(page)}`)
}
