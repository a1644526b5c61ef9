// What is for operators alone: the console and the metrics. Where ADMIN_PORT is set they are served
// there, and nothing else is but what a monitor asks and the console loads; on the public port they
// are unknown, however their path is written.
//
// Without it they share the port of the API, and a proxy may keep strangers out by the prefix of a
// path. So they have one spelling here: `//metrics` or `/%61dmin` would pass such a rule, and is
// unknown.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'
import type { World } from '../world.ts'
import { answerBrokenRequest } from './answer-broken-request.ts'
import { refuse } from './answer-errors.ts'
import { listenOn } from './listen-on.ts'

/** What came in by the port of operators. */
const FROM_OPERATORS = new WeakSet<IncomingMessage>()

const OF_OPERATORS = /^\/(admin|metrics)(\/|$)/
const ONE_SPELLING = /^\/(admin(\/|$)|metrics$)/

/** Doubled slashes, dots, parameters of segments, and what hides any of these. */
const ODD = /\/\/|\/\.{1,2}(\/|$)|[;\\]|%(2[ef]|3b|5c|00)/i

/** What both need: monitors, and the styles and scripts of the console's pages. */
const OF_BOTH = /^\/(healthz|readyz|assets\/.*)$/

/** Call it before anything else looks at a request. */
export function keepOperatorsApart(
  app: FastifyInstance,
  { config: { adminPort } }: Pick<World, 'config'>,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const isKnown = adminPort === undefined ? isPlain(request) : isAtItsPort(request)
    if (!isKnown) return refuse(reply, request, new Refusal('not_found'))
  })
}

function isPlain(request: FastifyRequest): boolean {
  const path = pathOf(request)
  return !isOfOperators(request) || (ONE_SPELLING.test(path) && !ODD.test(path))
}

function isAtItsPort(request: FastifyRequest): boolean {
  if (!FROM_OPERATORS.has(request.raw)) return !isOfOperators(request)
  return OF_BOTH.test(pathOf(request)) || (isOfOperators(request) && isPlain(request))
}

/** By the route that was found, or by what the path would be to somebody else who reads it. */
function isOfOperators(request: FastifyRequest): boolean {
  return OF_OPERATORS.test(request.routeOptions.url ?? '') || OF_OPERATORS.test(readPath(request))
}

function readPath(request: FastifyRequest): string {
  const path = pathOf(request)
  return decoded(path).replace(/[/\\]+/g, '/')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function pathOf({ raw }: FastifyRequest): string {
  const [path = ''] = (raw.url ?? '').split('?')
  return path
}

export interface OperatorsPort {
  readonly port: number
  close(): void
}

/** A second port of the same API server; undefined where the settings want none. */
export async function listenForOperators(
  { config, newId }: World,
  app: FastifyInstance,
): Promise<OperatorsPort | undefined> {
  const { host, adminPort: port } = config
  if (port === undefined) return undefined
  await app.ready()
  const { requestTimeout, keepAliveTimeout } = app.server
  const server = createServer({ requestTimeout, keepAliveTimeout }, (request, response) => {
    FROM_OPERATORS.add(request)
    app.routing(request, response)
  })
  server.on('clientError', (error, socket) => {
    answerBrokenRequest(error, socket as Parameters<typeof answerBrokenRequest>[1], newId())
  })
  try {
    await listenOn(server, { host, port, setting: 'ADMIN_PORT' })
  } catch (error) {
    // The first port would keep the process from ending.
    await app.close()
    throw error
  }
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeIdleConnections()
    },
  }
}
