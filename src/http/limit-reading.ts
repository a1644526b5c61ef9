// How many requests of one account this process reads for at once. A search may take a connection
// to the database for a while, and there are few: those of one account wait for each other, so that
// all others find one free.

import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends its turn, once; absent where it needs none. */
    endReading?: () => void
  }
}

/** Of the connections that are not kept for payments, somewhat less than half. */
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
    // Its turn is handed to it by the one that leaves.
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
    if (accountId === undefined || request.method !== 'GET') return
    await enter(accountId)
    let isOver = false
    request.endReading = () => {
      if (!isOver) leave(accountId)
      isOver = true
    }
    reply.raw.once('close', request.endReading)
    // Nothing is read for a client that has gone away while it waited.
    if (reply.raw.destroyed) throw new Refusal('invalid_request', { message: 'the client is gone' })
  })

  // A file is streamed after this: how many of those there are has a bound of its own.
  app.addHook('onSend', async (request) => request.endReading?.())
}
