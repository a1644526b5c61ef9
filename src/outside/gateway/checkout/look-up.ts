// Looks up the state of an order in the records of Checkout.com: the list of payments with our
// reference, and the actions of a payment. It never uses the search, which lags behind. That
// nothing is there counts only if our key sees the account that the order was sent to.

import assert from 'node:assert'
import { OUR_ACCOUNT } from '../order-marks.ts'
import type { AcceptedState, Order, OrderState } from '../port.ts'
import {
  accepted,
  actionOf,
  answerOfAction,
  answerOfRecord,
  isLeftOpen,
  leftFor,
} from './answers.ts'
import {
  actionsOf,
  askOrAlarm,
  assertSameAccount,
  type CheckoutCall,
  type CheckoutRecord,
  checkoutError,
  paymentOf,
  paymentsOf,
  recordOf,
} from './records.ts'
import { closingVoidOf, endpointOf } from './requests.ts'

export async function lookUpAtCheckout(call: CheckoutCall): Promise<OrderState> {
  const { order } = call
  const id = order.parent === undefined ? order.gatewayId : order.parent.gatewayId
  if (order.parent === undefined) {
    const found = id ?? (await findPayment(call))
    return found === undefined ? neverMade(call) : lookUpAccepted(call, found)
  }
  // Nothing was sent about a payment without its name.
  if (id === null) return { kind: 'never_made' }
  const actions = await actionsOf(call, id)
  const action = actionOf(order, actions)
  if (action !== undefined) return answerOfAction(id, action)
  // An action that was accepted may not be listed before it is decided.
  if (order.gatewayId !== null) return accepted(id)
  // Read after the list, so that an action in the list is in the balances.
  const payment = await paymentOf(call, id)
  const isListed = payment === undefined || areListed(order, { payment, actions })
  return isListed ? neverMade(call) : { kind: 'undecided', gatewayId: null }
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

async function neverMade(call: CheckoutCall): Promise<OrderState> {
  await assertSameAccount(call)
  return { kind: 'never_made' }
}

/** The state of an order that Checkout.com has accepted: by the payment that it made or changes. */
export async function lookUpAccepted(
  call: CheckoutCall,
  paymentId: string,
): Promise<AcceptedState> {
  const { order } = call
  if (order.parent !== undefined) {
    const action = actionOf(order, await actionsOf(call, paymentId))
    return action === undefined ? accepted(paymentId) : answerOfAction(paymentId, action)
  }
  const record = await recordOf(call, paymentId)
  if (record === undefined) return accepted(paymentId)
  if (isLeftOpen(order, record)) await close(call, paymentId)
  return answerOfRecord(order, record)
}

/** The void is decided later. Until then the charge is in doubt, and this is asked for again. */
async function close(call: CheckoutCall, paymentId: string): Promise<void> {
  const request = { method: 'POST', ...closingVoidOf(call.order, paymentId) } as const
  const reply = await askOrAlarm(call, request)
  if (reply.status !== 403) return
  const words = 'Checkout.com does not release what a declined payment holds: it waits'
  call.alarm(words, { err: checkoutError(reply) })
}

async function findPayment(call: CheckoutCall): Promise<string | undefined> {
  const { accountId, key } = call.order
  const all = await paymentsOf(call, key)
  const own = all.filter(({ metadata }) => metadata?.[OUR_ACCOUNT] === accountId)
  // One that took money counts before one that was declined.
  return (own.find(({ status }) => status !== 'Declined') ?? own[0])?.id
}
