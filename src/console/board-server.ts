// The board itself: Bull Board on a Fastify instance that listens on no port. It is loaded when it
// is first opened. board.ts has authorized every request that arrives here.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { writeAuditEntry } from '../operators/audit-entries.ts'
import type { Operator } from '../operators/session.ts'
import { QUEUE_NAMES } from '../queue/catalogue.ts'
import type { JobQueue } from '../queue/engine.ts'
import { BROWSER_RULES, policyText } from '../web/browser-rules.ts'
import { isReading, UNKEPT, wantsPage } from '../web/html.ts'
import type { World } from '../world.ts'
import { boardLook } from './board-look.ts'
import { answerNoBoardPage, dressedBoard } from './board-page.tsx'
import { BOARD_COOKIE, BOARD_PATH } from './cookies.ts'

export interface Board {
  answer(request: IncomingMessage, response: ServerResponse, visit: Visit): void
  close(): Promise<void>
}

interface Visit {
  readonly operator: Operator
  readonly requestId: string
  readonly isSecure: boolean
}

const UI = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'))

const RULES = {
  ...BROWSER_RULES,
  // Its page has a base element, and its widgets write their own styles. Only our scripts run.
  'content-security-policy': policyText({
    'base-uri': "'self'",
    'style-src': "'self' 'unsafe-inline'",
  }),
  'cache-control': UNKEPT,
}

/** The most jobs that the board's own settings offer for a page. */
const MOST_JOBS = 300

/** The caching of files whose names change with their contents. */
const FOR_EVER = 'private, max-age=31536000, immutable'

export async function openBoardServer(world: World): Promise<Board> {
  const visits = new WeakMap<IncomingMessage, Visit>()
  const visitOf = (request: FastifyRequest): Visit => {
    const visit = visits.get(request.raw)
    if (visit === undefined) throw new Error('this request was not let in')
    return visit
  }
  const server = Fastify({
    genReqId: (request) => visits.get(request)?.requestId ?? world.newId(),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
  })
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...RULES, 'x-request-id': request.id })
  })
  server.setNotFoundHandler((request, reply) =>
    wantsPage(request)
      ? answerNoBoardPage(reply, visitOf(request).operator)
      : reply.code(404).send({ error: 'not_found' }),
  )
  refuseActions(server)
  refuseLargePages(server)
  dressPages(server, visitOf)
  server.addHook('onSend', async (request, reply) => {
    if (reply.statusCode < 400) await keepAuditEntry(world, request, visitOf(request))
  })
  const showQueues = await mountBoard(server, world)
  await server.ready()
  return {
    answer(request, response, visit) {
      visits.set(request, visit)
      showQueues()
      server.routing(request, response)
    },
    close: () => server.close(),
  }
}

/** The board does not offer to limit it. */
class BoardQueue extends BullMQAdapter {
  override get supportsGlobalRateLimit(): boolean {
    return false
  }
}

/** Returns a function that makes the board show the queues that are open now. */
async function mountBoard(server: FastifyInstance, world: World): Promise<() => void> {
  const adapters = new WeakMap<JobQueue, BullMQAdapter>()
  // A queue that was opened while its store was away may have been replaced.
  const adapterOf = (queue: JobQueue) => {
    const known = adapters.get(queue) ?? new BoardQueue(queue)
    adapters.set(queue, known)
    return known
  }
  const currentQueues = () => QUEUE_NAMES.map((name) => adapterOf(world.queues.queue(name)))
  const serverAdapter = new FastifyAdapter()
  const { setQueues } = createBullBoard({
    queues: currentQueues(),
    serverAdapter,
    options: { uiBasePath: UI, uiConfig: boardLook(world.queues.engine.kind) },
  })
  serverAdapter.setErrorHandler((error) => {
    if (isOfPath(error)) return { status: 404, body: { error: 'not_found' } }
    if (error.name === STORE_AWAY) {
      world.outages.report('the board cannot reach the queue store', { err: error })
      return { status: 500, body: { error: 'The queue store cannot be reached.' } }
    }
    world.log.warn({ err: error }, 'the board failed')
    return { status: 500, body: { error: error.message } }
  })
  await server.register(serverAdapter.registerPlugin(), { prefix: BOARD_PATH })
  return () => setQueues(currentQueues())
}

/** The name of ioredis's error for a command that it could not send. */
const STORE_AWAY = 'MaxRetriesPerRequestError'

/** The file does not exist, or the path leads out of the folder. */
function isOfPath({ statusCode = 500 }: Error & { readonly statusCode?: number }): boolean {
  return statusCode < 500
}

function refuseActions(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    const { method } = request
    if (isReading(method) || boardAction(method, routeOf(request)) !== undefined) return
    return reply.code(403).send({ error: NOT_ALLOWED })
  })
}

/** Whoever may read could have all jobs of a queue read into memory, again and again. */
function refuseLargePages(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    const { jobsPerPage } = request.query as Readonly<Record<string, unknown>>
    if (!(Number(jobsPerPage) > MOST_JOBS)) return
    return reply.code(400).send({ error: `jobsPerPage is ${MOST_JOBS} at most` })
  })
}

function dressPages(server: FastifyInstance, visitOf: (request: FastifyRequest) => Visit): void {
  server.addHook('onSend', async (request, reply, payload) => {
    if (/\/static\/(css|js)\//.test(request.url) && reply.statusCode === 200) {
      reply.header('cache-control', FOR_EVER)
    }
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
    if (!isPage || typeof payload !== 'string') return payload
    const visit = visitOf(request)
    giveToken(reply, visit)
    const page = dressedBoard(payload, visit.operator)
    reply.header('content-length', Buffer.byteLength(page))
    return page
  })
}

function giveToken(reply: FastifyReply, { operator, isSecure }: Visit): void {
  const secure = isSecure ? '; Secure' : ''
  const token = `${BOARD_COOKIE}=${operator.formToken}`
  reply.header('set-cookie', `${token}; Path=${BOARD_PATH}; SameSite=Lax${secure}`)
}

/** Written before the answer is sent, so that a reader of the audit log finds it at once. */
async function keepAuditEntry(world: World, request: FastifyRequest, visit: Visit): Promise<void> {
  const allowed = boardAction(request.method, routeOf(request))
  if (allowed === undefined) return
  const params = request.params as Readonly<Record<string, string>>
  const { action, of: [parameter, name] = [] } = allowed
  const detail = parameter === undefined ? {} : { [name ?? parameter]: params[parameter] ?? null }
  await writeAuditEntry(world, visit.operator, { action, subject: params.queueName, detail })
}

function routeOf({ routeOptions }: FastifyRequest): string {
  return (routeOptions.url ?? '').slice(`${BOARD_PATH}/api`.length)
}

/**
 * An action that the board allows, and its name in the audit log.
 *
 * Jobs are nudges and the rows are the truth, so no action here can lose or repeat a payment.
 * Allowed is what helps an operator in an incident. Not allowed are jobs made by hand, job data
 * edited to name other rows, and lasting changes that no setting shows (schedules, rate limits,
 * concurrency, queues removed with their schedules). An action that an upgrade of the board brings
 * is not allowed until it is in this table.
 */
interface BoardAction {
  /** For the audit log, in the past tense. */
  readonly action: string
  /** A parameter that names more than the queue, and its name in the audit log. */
  readonly of?: readonly [parameter: string, name: string]
}

const JOB = ['jobId', 'job'] as const
const STATUS = ['queueStatus', 'status'] as const
const SCHEDULER = ['schedulerId', 'scheduler'] as const

const ACTIONS: Readonly<Record<string, BoardAction>> = {
  'PUT /queues/pause': { action: 'all queues paused' },
  'PUT /queues/resume': { action: 'all queues resumed' },
  'PUT /queues/:queueName/pause': { action: 'queue paused' },
  'PUT /queues/:queueName/resume': { action: 'queue resumed' },
  'PUT /queues/:queueName/empty': { action: 'queue emptied' },
  'PUT /queues/:queueName/promote': { action: 'delayed jobs promoted' },
  'PUT /queues/:queueName/retry/:queueStatus': { action: 'jobs retried', of: STATUS },
  'PUT /queues/:queueName/clean/:queueStatus': { action: 'jobs removed', of: STATUS },
  'PUT /queues/:queueName/:jobId/retry': { action: 'job retried', of: JOB },
  'PUT /queues/:queueName/:jobId/promote': { action: 'job promoted', of: JOB },
  'PUT /queues/:queueName/:jobId/clean': { action: 'job removed', of: JOB },
  'PUT /queues/:queueName/job-schedulers/:schedulerId/run': {
    action: 'scheduler run at once',
    of: SCHEDULER,
  },
}

/** The action of the method and the route under the board's `/api`. */
function boardAction(method: string, route: string): BoardAction | undefined {
  const name = `${method} ${route}`
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
}

/** The board shows this text in a corner. */
const NOT_ALLOWED =
  'This is not allowed here: jobs only name rows, and the code decides schedules and limits.'
