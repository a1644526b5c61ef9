// Looks up the state of an order in the records of Checkout.com: the list of payments with our
// reference, and the actions of a payment. It never uses the search, which lags behind. That
// nothing is there counts only if our key sees the account that the order was sent to.

import assert from 'node:assert'
import type { Order, OrderState } from '../port.ts'
import {
  accepted,
  actionOf,
  answerOfAction,
  answerOfRecord,
  isLeftOpen,
  leftFor,
  type Made,
} from './answers.ts'
import {
  actionsOf,
  askOrAlarm,
  assertSameAccount,
  type CheckoutNeeds,
  type CheckoutRecord,
  errorOf,
  paymentOf,
  paymentsOf,
  recordOf,
} from './records.ts'
import { ACCOUNT_FIELD, closingOf, endpointOf } from './requests.ts'

export async function lookUp(
  needs: CheckoutNeeds,
  order: Order,
  signal: AbortSignal,
): Promise<OrderState> {
  const id = order.parent === undefined ? order.gatewayId : order.parent.gatewayId
  if (order.parent === undefined) {
    const found = id ?? (await findPayment(needs, order, signal))
    return found === undefined
      ? neverMade(needs, order, signal)
      : lookUpAccepted(needs, order, found, signal)
  }
  // Nothing was sent about a payment without its name.
  if (id === null) return { kind: 'never_made' }
  const actions = await actionsOf(needs, id, signal)
  const action = actionOf(order, actions)
  if (action !== undefined) return answerOfAction(id, action)
  // An action that was accepted may not be listed before it is decided.
  if (order.gatewayId !== null) return accepted(id)
  // Read after the list, so that an action in the list is in the balances.
  const payment = await paymentOf(needs, id, signal)
  const isListed = payment === undefined || areListed(order, { payment, actions })
  return isListed ? neverMade(needs, order, signal) : { kind: 'undecided', gatewayId: null }
}

const AVAILABLE = {
  captures: 'available_to_capture',
  refunds: 'available_to_refund',
  voids: 'available_to_void',
} as const

/**
 * An order that was carried out, and answered with an error, does not hold its key: sent again it
 * would be carried out again. If its action is not listed for longer than usual, only the balances
 * show it. They do not name it, so it may be any order that is not listed: each of them waits until
 * the balances are what the listed actions leave.
 */
function areListed(order: Order, record: CheckoutRecord): boolean {
  const endpoint = endpointOf(order)
  assert(endpoint !== 'payments', 'only a follow-up moves the money of a payment')
  return record.payment.balances?.[AVAILABLE[endpoint]] === leftFor(order, record)
}

async function neverMade(
  needs: CheckoutNeeds,
  order: Order,
  signal: AbortSignal,
): Promise<OrderState> {
  await assertSameAccount(needs, order, signal)
  return { kind: 'never_made' }
}

/** The state of an order that Checkout.com has accepted: by the payment that it made or changes. */
export async function lookUpAccepted(
  needs: CheckoutNeeds,
  order: Order,
  paymentId: string,
  signal: AbortSignal,
): Promise<Made> {
  if (order.parent !== undefined) {
    const action = actionOf(order, await actionsOf(needs, paymentId, signal))
    return action === undefined ? accepted(paymentId) : answerOfAction(paymentId, action)
  }
  const record = await recordOf(needs, paymentId, signal)
  if (record === undefined) return accepted(paymentId)
  if (isLeftOpen(order, record)) await close(needs, order, paymentId, signal)
  return answerOfRecord(order, record)
}

/** The void is decided later. Until then the charge is in doubt, and this is asked for again. */
async function close(
  needs: CheckoutNeeds,
  order: Order,
  paymentId: string,
  signal: AbortSignal,
): Promise<void> {
  const request = { method: 'POST', ...closingOf(order, paymentId) } as const
  const reply = await askOrAlarm(needs, request, signal)
  if (reply.status !== 403) return
  const words = 'Checkout.com does not release what a declined payment holds: it waits'
  needs.alarm(words, { err: errorOf(reply) })
}

async function findPayment(
  needs: CheckoutNeeds,
  { accountId, key }: Order,
  signal: AbortSignal,
): Promise<string | undefined> {
  const all = await paymentsOf(needs, key, signal)
  const own = all.filter(({ metadata }) => metadata?.[ACCOUNT_FIELD] === accountId)
  // One that took money counts before one that was declined.
  return (own.find(({ status }) => status !== 'Declined') ?? own[0])?.id
}
