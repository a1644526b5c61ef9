// Records each request: a span, a metric and a line of the log.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECOND } from '../core/time-units.ts'
import type { TraceSpan } from '../telemetry/tracer.ts'
import type { World } from '../world.ts'

/**
 * A span for each request. It continues the caller's trace if the request names one. Work that the
 * request nudges continues this span, through the queue and to the gateway.
 */
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
    // This runs for every answer, also if the caller went away before it.
    reply.raw.once('close', () => span.end(outcomeOf(request, reply), faultOf(reply)))
    span.run(done)
  })
  // The body arrives in the context of its connection, so the span is entered again from there.
  app.addHook('preValidation', inSpan)
}

/** Neither the address nor its query, since both may be private. */
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

/** Routes that are asked every few seconds: they get no log line, no metric and no trace. */
const QUIET_ROUTES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * How long each request took, by its route and status. The route is the pattern and never the
 * address itself, which may contain private data and has no end of values.
 */
export function measureRequests(app: FastifyInstance, { metrics }: Pick<World, 'metrics'>): void {
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    const route = routeOptions.url ?? 'unknown'
    if (QUIET_ROUTES.has(route)) return
    metrics.requests.observe({ method, route, status: statusCode }, elapsedTime / SECOND)
  })
}

/**
 * One line a request, when it is answered. Neither bodies nor addresses beyond the route, because
 * they may contain private data.
 */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url
    if (route !== undefined && QUIET_ROUTES.has(route)) return
    request.log[request.isTurnedAway ? 'debug' : 'info'](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        account_id: request.caller?.accountId,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
}
