// A path that exists answers an unknown method with 405 and `Allow`, before anything else is
// checked.

import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { refuse } from './answer-errors.ts'

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']

/** Call it before the routes are added, and call its result after them. */
export function watchMethods(app: FastifyInstance): (open: FastifyInstance) => void {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }: RouteOptions) => {
    const methods = known.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    known.set(url, methods)
  })
  return (open) => {
    for (const [url, methods] of [...known]) {
      if (!url.includes('*')) refuseOthers(open, url, new Set(methods))
    }
  }
}

function refuseOthers(app: FastifyInstance, url: string, methods: ReadonlySet<string>): void {
  const others = METHODS.filter((method) => !methods.has(method))
  const allow = [...methods].sort().join(', ')
  app.route({
    method: others,
    url,
    onRequest: (request, reply) => {
      reply.header('allow', allow)
      refuse(reply, request, new Refusal('method_not_allowed'))
    },
    handler: () => undefined,
  })
}
