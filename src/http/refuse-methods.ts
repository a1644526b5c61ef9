// A path that exists answers an unknown method with 405 and `Allow`, and an unknown path answers
// 404, whether or not the request has a key, and before its body is read. A valid key counts, as
// everywhere, and its caller is told which path was probably meant.

import type { FastifyInstance, FastifyReply, HTTPMethods, RouteOptions } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { nearestName } from '../core/spelling.ts'
import type { World } from '../world.ts'
import { refuse } from './answer-errors.ts'
import { identifyIfKeyed } from './authenticate.ts'
import { decoded } from './operators-port.ts'

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']

/** Call it before the routes are added, and call its result after them. */
export function watchMethods(app: FastifyInstance, world: World): (open: FastifyInstance) => void {
  const known = new Map<string, Set<string>>()
  const refused = new Map<string, string>()
  const ofKeys = new Set<string>()
  app.addHook('onRoute', function note(this: FastifyInstance, { url, method }: RouteOptions) {
    if (this.isPublic !== true) ofKeys.add(url)
    const methods = known.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    known.set(url, methods)
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    if (!(await identifyIfKeyed(world, reply))) return reply
    const allow = allowedAt(refused, request.url)
    if (allow !== undefined) return refuseMethod(reply, allow)
    // The console answers with pages of its own.
    if (partsOf(request.url)[0] === 'admin') return
    const message = request.caller && unknownPath(request.url, [...ofKeys])
    return refuse(reply, new Refusal('not_found', message === undefined ? {} : { message }))
  })
  return (open) => {
    for (const [url, methods] of [...known]) {
      if (url.includes('*')) continue
      const allow = [...methods].sort().join(', ')
      refused.set(url, allow)
      // Without a route of its own, another path would take `DELETE /invoice/schedule` for an id.
      if (![...known.keys()].some((other) => isTakenBy(other, url))) continue
      open.route({
        method: METHODS.filter((method) => !methods.has(method)),
        url,
        onRequest: async (_request, reply) => {
          if (!(await identifyIfKeyed(world, reply))) return reply
          return refuseMethod(reply, allow)
        },
        handler: () => undefined,
      })
    }
  }
}

function refuseMethod(reply: FastifyReply, allow: string): FastifyReply {
  const message = `that method is not allowed here: use ${allow}`
  return refuse(reply.header('allow', allow), new Refusal('method_not_allowed', { message }))
}

function isTakenBy(other: string, url: string): boolean {
  return other.includes('/:') && other !== url && isAt(other, partsOf(url))
}

/** The methods of the asked path. A path without parameters goes before `/invoice/:id`. */
function allowedAt(refused: ReadonlyMap<string, string>, asked: string): string | undefined {
  const parts = partsOf(decoded(asked.replace(/\?.*/, '')))
  const found = [...refused].filter(([url]) => isAt(url, parts))
  return found.sort(([a], [b]) => placesIn(a) - placesIn(b))[0]?.[1]
}

function isAt(url: string, parts: readonly string[]): boolean {
  const known = partsOf(url)
  return (
    known.length === parts.length &&
    known.every((part, at) => part.startsWith(':') || part === parts[at])
  )
}

/** An unknown id is answered otherwise: its author must look for another mistake. */
function unknownPath(asked: string, known: readonly string[]): string {
  const parts = partsOf(asked.replace(/\?.*/, ''))
  const isMeant = (url: string) => {
    const others = partsOf(url)
    return (
      others.length === parts.length &&
      others.every((part, at) => part.startsWith(':') || nearestName(parts[at] ?? '', [part]))
    )
  }
  const meant = known.filter(isMeant).sort((a, b) => placesIn(a) - placesIn(b))[0]
  const path = meant?.replace(/:(\w+)/g, '{$1}')
  return path === undefined
    ? 'there is no such path'
    : `there is no such path: did you mean ${path}?`
}

function placesIn(url: string): number {
  return url.split(':').length
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '')
}
