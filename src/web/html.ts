// What all pages need of HTTP, and their rendering as text. The renderer escapes all values in
// braces; no module builds HTML by hand.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** No browser or proxy may cache our pages, because they show payments. */
export const UNKEPT = 'no-store'

/** A browser that opens an address; a script asks for JSON. */
export function wantsPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return String(headers.accept ?? '').includes('text/html')
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** True if a request with this method changes nothing. */
export function isReading(method: string): boolean {
  return READING.has(method)
}

export function answerHtml(reply: FastifyReply, page: VNode, status: number): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', UNKEPT)
    .serializer(String)
    .send(htmlOf(page))
}

export function htmlOf(page: VNode): string {
  return `<!doctype html>${markupOf(page)}`
}

export function markupOf(part: VNode): string {
  return renderToString(part)
}
