// Limits how many requests of one account read the database at once in this process. A search may
// hold a connection for a while, and there are few. Requests of one account wait for each other, so
// that other accounts find a free connection. Its searches for keywords run one at a time: one that
// compares long texts keeps two processors busy, and there are fewer processors than connections.
//
// A search ends with its turn: when its caller went away, or was answered that it took too long.
//
// A long answer keeps its turn until its caller has taken it: a page of the largest rows has tens
// of megabytes, and callers that read nothing would add them up until no memory is left.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { queuesOf } from '../core/turns.ts'
import { connectionShares } from '../db/database.ts'
import { CLIENT_GONE } from '../web/answer-csv.ts'
import { isReading } from '../web/html.ts'
import { forReading, type World } from '../world.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The handler reads its row by a hot statement, which gathers all callers of the moment and
     * holds no connection for one account. If it reads more, it waits for its turn itself.
     */
    readsByKey?: boolean
  }
  interface FastifyRequest {
    /** Ends its turn, once. Absent if it needs none. */
    endReading?: () => void
    /** It is aborted at the end of its turn. Undefined if it needs none. */
    reading: AbortSignal | undefined
  }
  interface FastifyReply {
    /** Waits until the request may read more than a row by its key. */
    turnToRead(): Promise<void>
  }
}

/** Existing clients request this list with a body. */
const ASKED_BY_POST = '/query/payment-links'

/** The system takes a shorter answer at once, whether or not its caller reads. */
const LONG_ANSWER_BYTES = 256 * 1024

export function limitReading(app: FastifyInstance, { config }: Pick<World, 'config'>): void {
  const mostAtOnce = readingAtOnce(config.databaseConnections)
  const reads = queuesOf(mostAtOnce)
  const searches = queuesOf(1)

  app.decorateRequest('reading', undefined)
  app.decorateReply('turnToRead', async function turnToRead(this: FastifyReply) {
    const { request, raw } = this
    const accountId = request.caller?.accountId
    if (accountId === undefined) return
    const queues = isSearch(request) ? [searches, reads] : [reads]
    for (const queue of queues) await queue.enter(accountId)
    const turn = new AbortController()
    request.reading = turn.signal
    request.endReading = () => {
      if (!turn.signal.aborted) for (const queue of queues) queue.leave(accountId)
      turn.abort(CLIENT_GONE)
    }
    raw.once('finish', request.endReading).once('close', request.endReading)
    // A client that went away or was answered while it waited gets nothing read. Its connection has
    // closed, and may have no answer that ends the turn.
    if (raw.destroyed) {
      request.endReading()
      throw CLIENT_GONE
    }
  })

  app.addHook('preHandler', async ({ method, routeOptions: { url, config } }, reply) => {
    const reads = isReading(method) || url === ASKED_BY_POST
    if (reads && config.readsByKey !== true) await reply.turnToRead()
  })

  // A file is streamed after this, and exports have a limit of their own.
  app.addHook('onSend', async (request, _reply, payload) => {
    if (!isLong(payload)) request.endReading?.()
  })
}

/** The length of text is near enough to its bytes. */
function isLong(payload: unknown): boolean {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
  return isWhole && payload.length > LONG_ANSWER_BYTES
}

function isSearch({ query, body }: Pick<FastifyRequest, 'query' | 'body'>): boolean {
  return 'keywords' in Object(query) || 'keywords' in Object(body)
}

/** Somewhat less than half of the connections that are not reserved for payments. */
export function readingAtOnce(connections: number): number {
  return Math.floor((connectionShares(connections).other - 1) / 2)
}

/**
 * The same world for the searches of a request: they end with its turn, and a replica may answer
 * them.
 */
export function readingWorld(world: World, { reading }: Pick<FastifyRequest, 'reading'>): World {
  if (reading === undefined) return forReading(world)
  const reads = world.reads()
  const query = reads.queryUntil(reading)
  const snapshot = reads.snapshotUntil(reading)
  return { ...world, db: { ...reads, query, snapshot } }
}
