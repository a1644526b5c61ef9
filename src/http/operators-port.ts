// Separates the paths for operators: the console and the metrics. With ADMIN_PORT they are served
// only on that port, with the probes and the console's assets. On the public port they do not
// exist, however their path is written.
//
// Without ADMIN_PORT they are served on the API's port, and a proxy may block them by prefix. So
// they have only one spelling: `//metrics` or `/%61dmin` would pass such a rule, and is not found.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { connectionAccepted } from '../core/next-turn.ts'
import type { World } from '../world.ts'
import { answerBrokenRequest } from './answer-broken-request.ts'
import { refuse } from './answer-errors.ts'
import { LOOKING_FOR_LATE, shareTurns } from './connections.ts'
import { listenOn } from './listen-on.ts'
import { passOnExpectations, WITH_ODD_HEADS } from './refuse-odd-heads.ts'

/** Requests that arrived at the operators' port. */
const FROM_OPERATORS = new WeakSet<IncomingMessage>()

const OF_OPERATORS = /^\/(admin|metrics)(\/|$)/
const ONE_SPELLING = /^\/(admin(\/|$)|metrics$)/

/** Doubled slashes, dots, segment parameters, and encodings that hide any of these. */
const ODD = /\/\/|\/\.{1,2}(\/|$)|[;\\]|%(2[ef]|3b|5c|00)/i

/** Both ports need these: probes, and the styles and scripts of the console's pages. */
const OF_BOTH = /^\/(healthz|readyz|assets\/.*)$/

/** Call it before any other code reads a request. */
export function keepOperatorsApart(
  app: FastifyInstance,
  { config: { adminPort } }: Pick<World, 'config'>,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const isKnown = adminPort === undefined ? isPlain(request) : isAtItsPort(request)
    if (!isKnown) return refuse(reply, new Refusal('not_found'))
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

/** Decides by the matched route, or by the path as another program would read it. */
function isOfOperators(request: FastifyRequest): boolean {
  return OF_OPERATORS.test(request.routeOptions.url ?? '') || OF_OPERATORS.test(readPath(request))
}

function readPath(request: FastifyRequest): string {
  const path = pathOf(request)
  return decoded(path).replace(/[/\\]+/g, '/')
}

export function decoded(path: string): string {
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

/** A second port of the same API server. Undefined if the settings want none. */
export async function listenForOperators(
  { config, newId }: World,
  app: FastifyInstance,
): Promise<OperatorsPort | undefined> {
  const { host, adminPort: port } = config
  if (port === undefined) return undefined
  await app.ready()
  const { requestTimeout, keepAliveTimeout, timeout, maxHeadersCount } = app.server
  const options = { ...WITH_ODD_HEADS, ...LOOKING_FOR_LATE, requestTimeout, keepAliveTimeout }
  const server = createServer(options, (request, response) => {
    FROM_OPERATORS.add(request)
    app.routing(request, response)
  })
  server.maxHeadersCount = maxHeadersCount
  server.setTimeout(timeout)
  server.on('connection', connectionAccepted)
  shareTurns(server)
  passOnExpectations(server)
  server.on('clientError', (error, socket) => {
    answerBrokenRequest(error, socket as Parameters<typeof answerBrokenRequest>[1], newId())
  })
  try {
    await listenOn(server, { host, port, setting: 'ADMIN_PORT' })
  } catch (error) {
    // The first port would keep the process alive.
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
