// How a worker calls a gateway: the one that the row names, with a time limit, and with silence as
// one of the answers.

import assert from 'node:assert'
import { storableParts } from '../../core/text.ts'
import { SECOND } from '../../core/time-units.ts'
import type { TransactionType } from '../../core/transaction.ts'
import {
  type Answer,
  type Order,
  type OrderState,
  TooManyRequests,
} from '../../outside/gateway/port.ts'
import type { World } from '../../world.ts'
import type { Taken } from '../take/take-payment.ts'

/**
 * `silent`: the gateway was asked and did not answer. `not_asked`: the question was not sent, since
 * there were too many at once. `given_up`: the order was not carried out, and never will be.
 */
export type GatewayFinding =
  | GatewayAnswer
  | Silence
  | { readonly kind: 'given_up'; readonly message: string }

type GatewayAnswer = Answer | OrderState

/** The questions, by their names in metrics and traces: each is a method of the port. */
const QUESTIONS = { carry_out: 'carryOut', look_up: 'lookUp', give_up: 'giveUp' } as const

type GatewayQuestion = keyof typeof QUESTIONS

interface Silence {
  readonly kind: 'silent' | 'not_asked'
}

/** Asks about one taken payment. Returns the answer, or silence. */
export type AskGateway = (question: GatewayQuestion) => Promise<GatewayAnswer | Silence>

/**
 * The gateway of a taken payment, to ask about its order. `now` is in the account's time. The
 * duration of each question is measured and added to the trace.
 */
export function gatewayOf(world: World, taken: Taken, now: Date, signal: AbortSignal): AskGateway {
  const outcome = ({ kind }: GatewayAnswer | Silence) => ({ answer: kind })
  return (question) => {
    const order = orderOf(taken, now)
    const about = aboutQuestion(taken, question)
    const { gateway } = about
    const ask = (limit: AbortSignal): Promise<GatewayAnswer> =>
      world.gateways.named(taken.gatewayName)[QUESTIONS[question]](order, limit)
    return world.tracer.span(
      { name: `gateway ${question}`, kind: 'client', attributes: about },
      async () => {
        const startedMs = performance.now()
        const answer = storableParts(await orSilence(world, about, signal, ask))
        const seconds = (performance.now() - startedMs) / SECOND
        world.metrics.gatewayAnswers.observe({ gateway, question, ...outcome(answer) }, seconds)
        return answer
      },
      outcome,
    )
  }
}

/** The fields for the log. */
function aboutQuestion(
  { gatewayName, accountId, id, requestId }: Taken,
  question: GatewayQuestion,
) {
  const gateway = gatewayName ?? 'none'
  return { gateway, question, request_id: requestId, account_id: accountId, id }
}

/**
 * If the gateway throws, or answers after the time limit or after the job was lost, this returns
 * silence: the gateway may have acted.
 */
async function orSilence(
  world: World,
  about: object,
  signal: AbortSignal,
  ask: (limit: AbortSignal) => Promise<GatewayAnswer>,
): Promise<GatewayAnswer | Silence> {
  const limit = new AbortController()
  const end = () => limit.abort()
  const timeUp = setTimeout(end, world.timings.gatewayTimeoutMs)
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([ask(limit.signal), abortionOf(limit.signal)])
  } catch (error) {
    const isAsked = !(error instanceof TooManyRequests)
    const words = isAsked ? 'the gateway was silent' : 'the gateway was not asked'
    world.log.warn({ ...about, err: error }, words)
    return { kind: isAsked ? 'silent' : 'not_asked' }
  } finally {
    clearTimeout(timeUp)
    signal.removeEventListener('abort', end)
  }
}

function abortionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/**
 * The order that the gateway carries out for a taken row. It is built from frozen values of the
 * row, so every order of a payment is the same, and the gateway carries it out once.
 *
 * `now` is in the account's time.
 */
function orderOf(payment: Taken, now: Date): Order {
  const { accountId, id, method } = payment
  const token = payment.paymentMethod.gatewayToken
  assert(token !== null, 'only a transaction by hand has no token, and it has no pending work')
  return {
    accountId,
    key: id,
    operation: operationOf(payment.type),
    method: method === 'bank' ? 'bank' : 'card',
    parent: parentOf(payment),
    token,
    gatewayId: payment.authId,
    amount: payment.total,
    currency: payment.currency,
    now,
    deadlineAt: payment.deadlineAt,
  }
}

function parentOf({ referenceId, parentAuthId, parentType }: Taken): Order['parent'] {
  if (referenceId === null || parentType === null) return undefined
  return { key: referenceId, operation: operationOf(parentType), gatewayId: parentAuthId }
}

function operationOf(type: TransactionType): Order['operation'] {
  assert(type !== 'credit', 'a credit is recorded by hand, and has no pending work')
  return type
}
