// Limits how many requests of one account read the database at once in this process. A search may
// hold a connection for a while, and there are few. Requests of one account wait for each other, so
// that other accounts find a free connection.

import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends its turn, once. Absent if it needs none. */
    endReading?: () => void
  }
}

/** The list that existing clients ask for with a body. */
const ASKED_BY_POST = '/query/payment-links'

/** Somewhat less than half of the connections that are not reserved for payments. */
const MOST_AT_ONCE = 3

interface Readers {
  underWay: number
  readonly waiting: (() => void)[]
}

export function limitReading(app: FastifyInstance): void {
  const accounts = new Map<string, Readers>()

  async function enter(accountId: string): Promise<void> {
    const readers = accounts.get(accountId) ?? { underWay: 0, waiting: [] }
    accounts.set(accountId, readers)
    // The request that leaves hands over its turn.
    if (readers.underWay >= MOST_AT_ONCE) {
      await new Promise<void>((resolve) => readers.waiting.push(resolve))
    } else readers.underWay += 1
  }

  function leave(accountId: string): void {
    const readers = accounts.get(accountId)
    if (readers === undefined) return
    const next = readers.waiting.shift()
    if (next === undefined) readers.underWay -= 1
    else next()
    if (readers.underWay === 0) accounts.delete(accountId)
  }

  app.addHook('preHandler', async (request, reply) => {
    const accountId = request.caller?.accountId
    const isReading = request.method === 'GET' || request.routeOptions.url === ASKED_BY_POST
    if (accountId === undefined || !isReading) return
    await enter(accountId)
    let isOver = false
    request.endReading = () => {
      if (!isOver) leave(accountId)
      isOver = true
    }
    reply.raw.once('close', request.endReading)
    // A client that went away while it waited gets nothing read.
    if (reply.raw.destroyed) throw new Refusal('invalid_request', { message: 'the client is gone' })
  })

  // A file is streamed after this, and exports have a limit of their own.
  app.addHook('onSend', async (request) => request.endReading?.())
}
