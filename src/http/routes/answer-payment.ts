// Answers an accepted payment: when the gateway has responded or the wait is over, or at once if
// the caller prefers that.

import type { FastifyReply } from 'fastify'
import type { Answered } from '../../core/verdict.ts'
import type { AcceptedRequest } from '../../idempotency/find-claim.ts'
import {
  startAndAnswerPending,
  startAndAwaitOutcome,
  type WaitingCaller,
} from '../../payments/answer/await-outcome.ts'
import { contextOfCaller } from '../../payments/transaction/account-context.ts'
import { answerStatusOf } from '../../payments/transaction/transaction-view.ts'
import type { World } from '../../world.ts'
import { callerOf, prefersAsync } from '../requests.ts'
import { answerText } from './answer-once.ts'

export async function answerPayment(
  world: World,
  reply: FastifyReply,
  { id, work }: AcceptedRequest,
): Promise<FastifyReply> {
  const { request } = reply
  if (work === undefined) reply.header('idempotent-replayed', 'true')
  const caller = callerOf(request)
  const { accountId } = caller
  const waiting = {
    accountId,
    id,
    accountContext: contextOfCaller(world, caller),
    work,
    requestId: request.id,
  }
  return prefersAsync(request.headers)
    ? answerAtOnce(reply, id, await startAndAnswerPending(world, waiting))
    : answer(reply, await waitAtItsPlace(world, reply, waiting))
}

/** The time for accepting the payment counts towards the caller's wait. */
async function waitAtItsPlace(
  world: World,
  { elapsedTime, request }: FastifyReply,
  waiting: WaitingCaller,
): Promise<Answered> {
  const { place } = request
  place?.endWork()
  try {
    const waitMs = Math.max(0, world.config.chargeWaitMs - elapsedTime)
    const answered = await startAndAwaitOutcome(world, { ...waiting, waitMs })
    request.isDoneByWorker = answered.status !== 'PENDING'
    return answered
  } finally {
    place?.leave(request.isDoneByWorker)
  }
}

function answer(reply: FastifyReply, { status, body }: Answered): FastifyReply {
  return answerText(reply, answerStatusOf(status), body)
}

function answerAtOnce(reply: FastifyReply, id: string, answered: Answered): FastifyReply {
  if (answered.status !== 'PENDING') return answer(reply, answered)
  reply.header('location', `/transaction/${id}`)
  return answerText(reply, 202, answered.body)
}
