// Carries out an order at Checkout.com: one request, under a key that never changes. Captures,
// voids and refunds are only accepted by it, and decided later. A refusal is believed only if it
// says that nothing was, or will be, done under that key.

import type { Answer } from '../port.ts'
import {
  accepted,
  actionOf,
  answerOfAction,
  answerOfRequest,
  declined,
  leftFor,
  refused,
} from './answers.ts'
import type { CheckoutReply } from './client.ts'
import { lookUpAccepted, lookUpAtCheckout } from './look-up.ts'
import {
  askOrAlarm,
  assertSameAccount,
  type CheckoutCall,
  type CheckoutPayment,
  checkoutError,
  errorCodeOf,
  isAccepted,
  OF_ANOTHER,
  recordOf,
  silenceOf,
} from './records.ts'
import { declineOfError, isOfAccount } from './refusals.ts'
import { blockingReferenceOf, bodyOf, pathOf } from './requests.ts'

export async function carryOutAtCheckout(call: CheckoutCall): Promise<Answer> {
  const { order } = call
  const parentId = order.parent?.gatewayId
  if (parentId === null) return unknownParent()
  const path = pathOf(order, parentId ?? '')
  const request = { method: 'POST', path, body: bodyOf(order), idempotencyKey: order.key } as const
  const reply = await askOrAlarm(call, request)
  return isAccepted(reply)
    ? outcomeOf(call, reply.body as CheckoutPayment)
    : answerOfRefusal(call, reply)
}

function unknownParent(): Answer {
  return refused('request_refused', 'The gateway does not know what it refers to')
}

/** A repeat gets the first answer. The records have the current state. */
async function outcomeOf(call: CheckoutCall, made: CheckoutPayment): Promise<Answer> {
  const { order } = call
  if (made.reference === blockingReferenceOf(order)) throw new Error('the order was given up')
  if (made.reference !== order.key) throw new Error(OF_ANOTHER)
  const id = order.parent?.gatewayId ?? made.id
  const answer = order.parent === undefined ? answerOfRequest(order, made) : undefined
  return answer ?? lookUpAccepted(call, id).catch(() => accepted(id))
}

/** With any other status the request may still be on its way, as behind a proxy. */
const REFUSALS = [400, 401, 403, 404, 422, 429]

async function answerOfRefusal(call: CheckoutCall, reply: CheckoutReply): Promise<Answer> {
  const { order } = call
  if (!REFUSALS.includes(reply.status)) throw silenceOf(reply)
  switch (reply.status) {
    case 401:
      return { kind: 'turned_away', message: 'The gateway refused our key' }
    case 429:
      // Too many requests, or the same one is being executed: both have this status.
      return { kind: 'undecided', gatewayId: order.gatewayId }
  }
  return order.parent === undefined ? refusedPayment(call, reply) : refusedFollowUp(call, reply)
}

/** An earlier request with the same key may have made it, and was answered with an error. */
async function refusedPayment(call: CheckoutCall, reply: CheckoutReply): Promise<Answer> {
  const found = await lookUpAtCheckout(call)
  if (found.kind !== 'never_made') return found
  if (reply.status === 403 || isOfAccount(errorCodeOf(reply))) {
    call.alarm('Checkout.com does not allow us payments: they wait', { err: checkoutError(reply) })
    return { kind: 'turned_away', message: 'The gateway does not allow the call' }
  }
  const decline = declineOfError(errorCodeOf(reply))
  if (decline.code === 'request_refused') {
    call.alarm('Checkout.com refuses a payment as a wrong request', { err: checkoutError(reply) })
  }
  return declined(null, 'The gateway refused the request', decline)
}

/**
 * The state of its payment does not allow it. That is believed only if decided actions explain it:
 * an action that is not listed yet may be this very order, from an earlier request.
 */
async function refusedFollowUp(call: CheckoutCall, reply: CheckoutReply): Promise<Answer> {
  const { order } = call
  const record = await recordOf(call, order.parent?.gatewayId ?? '')
  if (record === undefined) {
    await assertSameAccount(call)
    return unknownParent()
  }
  const own = actionOf(order, record.actions)
  if (own !== undefined) return answerOfAction(record.payment.id, own)
  if (leftFor(order, record) < Number(order.amount)) {
    const words = 'The gateway has nothing left to take or to return'
    return refused('nothing_left', words, errorCodeOf(reply) ?? null)
  }
  if (reply.status === 403) {
    const words = 'Checkout.com does not allow a capture, a void or a refund yet: it waits'
    call.alarm(words, { err: checkoutError(reply) })
  }
  return { kind: 'undecided', gatewayId: order.gatewayId }
}
