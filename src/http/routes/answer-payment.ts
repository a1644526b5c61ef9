// How a payment that was accepted is answered: once the gateway has spoken or the wait is over, or
// at once where the caller prefers that.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Answered, announced, awaitOutcome } from '../../payments/await-outcome.ts'
import { booksOfCaller } from '../../payments/books.ts'
import { answerStatusOf } from '../../payments/transaction-view.ts'
import type { World } from '../../world.ts'
import { callerOf, prefersAsync } from '../requests.ts'
import { answerText } from './answer-once.ts'

interface Accepted {
  readonly id: string
  /** False for a repeat of a request that was accepted before. */
  readonly isNew: boolean
}

export async function answerPayment(
  world: World,
  request: Pick<FastifyRequest, 'id' | 'headers' | 'caller'>,
  reply: FastifyReply,
  { id, isNew }: Accepted,
): Promise<FastifyReply> {
  if (!isNew) reply.header('idempotent-replayed', 'true')
  const caller = callerOf(request)
  const { accountId } = caller
  const waiting = { accountId, id, books: booksOfCaller(world, caller), isRepeat: !isNew }
  return prefersAsync(request.headers)
    ? answerAtOnce(reply, id, await announced(world, waiting))
    : answer(reply, await awaitOutcome(world, waiting))
}

function answer(reply: FastifyReply, { status, body }: Answered): FastifyReply {
  return answerText(reply, answerStatusOf(status), body)
}

function answerAtOnce(reply: FastifyReply, id: string, answered: Answered): FastifyReply {
  if (answered.status !== 'PENDING') return answer(reply, answered)
  reply.header('location', `/transaction/${id}`)
  return answerText(reply, 202, answered.body)
}
