// A span for each request, which continues the caller's trace where it names one. What the request
// nudges continues this one, through the queue and to the gateway.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TraceSpan } from '../telemetry/tracer.ts'
import type { World } from '../world.ts'
import { QUIET_ROUTES } from './quiet-routes.ts'

export function traceRequests(app: FastifyInstance, { tracer }: World): void {
  if (!tracer.isOn) return
  const spans = new WeakMap<FastifyRequest, TraceSpan>()
  const inSpan = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else span.run(done)
  }
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route } = request.routeOptions
    if (route !== undefined && QUIET_ROUTES.has(route)) return done()
    const span = tracer.begin(aboutRequest(request, route))
    spans.set(request, span)
    // Comes to every answer, also where the caller went away before it.
    reply.raw.once('close', () => span.end(outcomeOf(request, reply), faultOf(reply)))
    span.run(done)
  })
  // A body arrives in the name of its connection: from there on the span is entered again.
  app.addHook('preValidation', inSpan)
}

/** Neither the address nor its query: they may hold what is nobody's business. */
function aboutRequest({ method, id, headers }: FastifyRequest, route: string | undefined) {
  const { traceparent } = headers
  return {
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : undefined,
    attributes: { 'http.request.method': method, 'http.route': route, request_id: id },
  } as const
}

function outcomeOf({ caller }: FastifyRequest, { statusCode }: FastifyReply) {
  return { 'http.response.status_code': statusCode, account_id: caller?.accountId }
}

function faultOf({ statusCode }: FastifyReply): { readonly code: string } | undefined {
  return statusCode >= 500 ? { code: String(statusCode) } : undefined
}
