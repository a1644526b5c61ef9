// The records of Checkout.com that decide an order: payments and their actions.

import { SECOND } from '../../../core/time-units.ts'
import { type Order, TooManyRequests } from '../port.ts'
import type { AskCheckout, CheckoutReply, CheckoutRequest } from './client.ts'
import { readCheckoutToken } from './token.ts'

/** What a request needs. */
export interface CheckoutNeeds {
  readonly askCheckout: AskCheckout
  /** Ends the requests of a call. Without it, each ends after a time of its own. */
  readonly signal?: AbortSignal
  /** For new payment methods. A payment stays in the channel that its token names. */
  readonly processingChannel: string
  /** All that Checkout.com has accepted is in its records after this time, and nothing is lost. */
  readonly recordedWithinMs: number
  readonly now: () => Date
  /** Logs it for the operator. `err` contains neither a secret nor a token. */
  readonly alarm: (words: string, fields: { readonly err: Error }) => void
}

/** What the requests of a call of the port need, and the order that it is about. */
export interface CheckoutCall extends CheckoutNeeds {
  readonly order: Order
}

/** The fields that are used. */
export interface CheckoutPayment {
  readonly id: string
  /** Our key of the order. */
  readonly reference?: string
  readonly status: string
  readonly amount: number
  readonly requested_on?: string
  readonly processed_on?: string
  readonly response_code?: string
  readonly response_summary?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly source?: CheckoutSource
  /** Absent in lists. */
  readonly balances?: CheckoutBalances
}

interface CheckoutBalances {
  readonly available_to_capture: number
  readonly available_to_refund: number
  readonly available_to_void: number
}

interface CheckoutSource {
  readonly id?: string
  readonly type?: string
  readonly scheme?: string
  readonly last4?: string
  readonly expiry_month?: number
  readonly expiry_year?: number
}

export interface CheckoutAction {
  readonly id: string
  readonly type: string
  readonly amount: number
  /** Absent until it is decided. */
  readonly approved?: boolean
  readonly processed_on?: string
  /** Our key of the order. */
  readonly reference?: string
  readonly response_code?: string
  readonly response_summary?: string
  readonly metadata?: Readonly<Record<string, string>>
}

export interface CheckoutRecord {
  readonly payment: CheckoutPayment
  readonly actions: readonly CheckoutAction[]
}

/** The limit of a request that is about no order. */
const LIMIT_MS = 20 * SECOND

/** Sends a request, and logs a refusal of our key for the operator. */
export async function askOrAlarm(
  { alarm, askCheckout, signal = AbortSignal.timeout(LIMIT_MS) }: CheckoutNeeds,
  request: CheckoutRequest,
): Promise<CheckoutReply> {
  const reply = await askCheckout(request, signal)
  if (reply.status === 401) {
    // Nothing fails for a refused key: payments wait until an operator has corrected it.
    alarm('Checkout.com refuses our key: its payments wait', { err: checkoutError(reply) })
  }
  return reply
}

export function isAccepted({ status }: CheckoutReply): boolean {
  return status >= 200 && status < 300
}

/** The body of an answer that accepts the request. Any other answer counts as silence. */
export function acceptedBody<T>(reply: CheckoutReply): T {
  if (!isAccepted(reply)) throw silenceOf(reply)
  return reply.body as T
}

/** For an answer that says nothing about what was asked. After a 429 it may be asked again. */
export function silenceOf(reply: CheckoutReply): Error {
  const words = `Checkout.com answered ${checkoutError(reply).message}`
  return reply.status === 429 ? new TooManyRequests(words) : new Error(words)
}

export function checkoutError(reply: CheckoutReply): Error {
  const { requestId, status } = reply
  return new Error(`${status} ${errorCodeOf(reply) ?? 'without a code'}, request ${requestId}`)
}

/** Checkout.com's first word for a refusal, which is no secret and names no object. */
export function errorCodeOf({ body }: CheckoutReply): string | undefined {
  const codes = (body as { readonly error_codes?: unknown } | null)?.error_codes
  return Array.isArray(codes) && typeof codes[0] === 'string' ? codes[0] : undefined
}

/** The payment that Checkout.com calls by that name. Undefined if it has none. */
export async function recordOf(
  needs: CheckoutNeeds,
  paymentId: string,
): Promise<CheckoutRecord | undefined> {
  const payment = await paymentOf(needs, paymentId)
  return payment && { payment, actions: await actionsOf(needs, paymentId) }
}

export function paymentOf(
  needs: CheckoutNeeds,
  paymentId: string,
): Promise<CheckoutPayment | undefined> {
  return readNamed<CheckoutPayment>(needs, 'payments', paymentId)
}

/**
 * Checkout.com does not say whose a key is, and the key of another account finds nothing where the
 * order was sent. But the token of the order names the payment by which its card was stored, in the
 * same account and channel. Throws unless our key finds that payment.
 */
export async function assertSameAccount(call: CheckoutCall): Promise<void> {
  const { agreement } = readCheckoutToken(call.order.token)
  if ((await paymentOf(call, agreement)) !== undefined) return
  const err = new Error(`Checkout.com has no ${agreement}, by which the card was stored`)
  const words = 'The key of Checkout.com is of another account than a payment was sent to'
  call.alarm(`${words}: put the former key back, the payment waits`, { err })
  throw err
}

export async function actionsOf(
  needs: CheckoutNeeds,
  paymentId: string,
): Promise<readonly CheckoutAction[]> {
  const path = `/payments/${paymentId}/actions`
  const reply = await askOrAlarm(needs, { method: 'GET', path })
  return reply.status === 404 ? [] : listIn(reply, acceptedBody(reply))
}

/** More than one only if an error hid an earlier payment from us and from its idempotency key. */
const MOST_OF_ONE_REFERENCE = 10

export async function paymentsOf(
  needs: CheckoutNeeds,
  reference: string,
): Promise<readonly CheckoutPayment[]> {
  const path = `/payments?reference=${reference}&limit=${MOST_OF_ONE_REFERENCE}`
  const reply = await askOrAlarm(needs, { method: 'GET', path })
  return listIn(reply, acceptedBody<{ readonly data?: unknown } | null>(reply)?.data)
}

/** An answer without a list is not that the list is empty: a proxy may have written it. */
function listIn<T>(reply: CheckoutReply, list: unknown): readonly T[] {
  if (!Array.isArray(list)) throw silenceOf(reply)
  return list
}

/** A proxy that confuses its connections gives one request the answer to another. */
export const OF_ANOTHER = 'Checkout.com answered about another payment than it was asked for'

/** What was asked for by its id. Undefined if there is none. Any other refusal answers nothing. */
export async function readNamed<T extends { readonly id: string }>(
  needs: CheckoutNeeds,
  place: 'disputes' | 'payments',
  id: string,
): Promise<T | undefined> {
  const path = `/${place}/${encodeURIComponent(id)}`
  const reply = await askOrAlarm(needs, { method: 'GET', path })
  if (reply.status === 404) return undefined
  const found = acceptedBody<T | null>(reply)
  if (found?.id !== id) throw new Error(OF_ANOTHER)
  return found
}
