// Sends requests to Stripe, those about an order to the account that its token names, and logs a
// refusal of our key for the operator.

import type Stripe from 'stripe'
import { SECOND } from '../../../core/time-units.ts'
import type { Order } from '../port.ts'
import type { AskStripe, SendToStripe, StripeRequest } from './client.ts'
import type { MerchantAccounts } from './merchant-accounts.ts'
import { codeOf, isOfAccount, readRefusal, type StripeRefusal } from './refusals.ts'
import { readStripeToken } from './token.ts'

export interface StripeNeeds extends MerchantAccounts {
  readonly askStripe: AskStripe
  /** Throws if our keys are those of another account than our payments wait for. */
  readonly checkAccount: (isChange: boolean) => Promise<void>
  readonly now: () => Date
  /** Logs it for the operator. `err` contains neither a secret nor a token. */
  readonly alarm: (words: string, fields: { readonly err: Error }) => void
}

/** What a call of the port about an order needs. */
export interface StripeCall extends StripeNeeds {
  readonly order: Order
  readonly signal: AbortSignal
}

/** The limit of requests that are no payments. A payment's caller sets a limit of its own. */
export const LIMIT_MS = 20 * SECOND

export function askForOrder<A>(
  call: StripeCall,
  request: Omit<StripeRequest, 'account'>,
  send: SendToStripe<A>,
): Promise<A> {
  const { account } = readStripeToken(call.order.token)
  return askAt(call, { ...request, account }, call.signal, send)
}

/** A proxy that confuses its connections gives one request the answer to another. */
export const OF_ANOTHER = 'Stripe answered about another payment than it was asked for'

export function retrieveIntent(call: StripeCall, id: string): Promise<Stripe.PaymentIntent> {
  const retrieved = askForOrder(call, {}, ({ paymentIntents }, options) =>
    paymentIntents.retrieve(id, {}, options),
  )
  return named(id, retrieved)
}

/** Ends a payment that took no money. `step` tells the keys of such requests apart. */
export function cancelIntent(
  call: StripeCall,
  id: string,
  step: 'close' | 'end' | 'refused',
  params: Stripe.PaymentIntentCancelParams = {},
): Promise<Stripe.PaymentIntent> {
  const request = { idempotencyKey: `${call.order.key}:${step}`, isRepeatable: true }
  const canceled = askForOrder(call, request, ({ paymentIntents }, options) =>
    paymentIntents.cancel(id, params, options),
  )
  return named(id, canceled)
}

/** What was asked for by its id. */
export async function named<A extends { readonly id: string }>(
  id: string,
  answer: Promise<A>,
): Promise<A> {
  const found = await answer
  if (found.id !== id) throw new Error(OF_ANOTHER)
  return found
}

export function askInTime<A>(
  needs: StripeNeeds,
  request: StripeRequest,
  send: SendToStripe<A>,
): Promise<A> {
  return askAt(needs, request, AbortSignal.timeout(LIMIT_MS), send)
}

async function askAt<A>(
  { alarm, askStripe, checkAccount }: StripeNeeds,
  request: StripeRequest,
  signal: AbortSignal,
  send: SendToStripe<A>,
): Promise<A> {
  try {
    await checkAccount(request.idempotencyKey !== undefined)
    return await askStripe(request, signal, send)
  } catch (error) {
    const refusal = readRefusal(error)
    const { idempotencyKey: key, isRepeatable = false } = request
    if (refusal?.isReplayed && key !== undefined && isRepeatable) {
      // Stripe repeats it, even a 500, for a day. Under a fresh key it executes the request.
      const fresh = { ...request, idempotencyKey: `${key}:${refusal.requestId}` }
      return await askStripe(fresh, signal, send)
    }
    if (refusal !== undefined && isOfAccount(refusal)) {
      const { account = 'the platform' } = request
      // Nothing fails for it: payments wait until an operator has corrected it.
      const what = refusal.status === 400 ? 'payments' : 'our key'
      alarm(`Stripe refuses ${what} for ${account}: its payments wait`, {
        err: stripeError(refusal),
      })
    }
    throw error
  }
}

/** With the id by which Stripe's own log shows the request. */
export function stripeError(refusal: StripeRefusal): Error {
  const { requestId = 'unknown', status } = refusal
  return new Error(`${status} ${codeOf(refusal)}, request ${requestId}`)
}
