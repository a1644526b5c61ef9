// Sends requests to Stripe, those about an order to the account that its token names, and logs a
// refusal of our key for the operator.

import type Stripe from 'stripe'
import { SECOND } from '../../../core/time-units.ts'
import type { Order } from '../port.ts'
import type { AskStripe, StripeRequest } from './client.ts'
import { codeOf, readRefusal, type StripeRefusal } from './refusals.ts'
import { readStripeToken } from './token.ts'

export interface StripeNeeds {
  readonly askStripe: AskStripe
  /** Throws if our keys are those of another account than our payments wait for. */
  readonly checkAccount: (isChange: boolean) => Promise<void>
  /** The connected account of an account of ours. Undefined for the platform's own. */
  readonly connectedAccountOf: (accountId: string) => Promise<string | undefined>
  readonly now: () => Date
  /** Logs it for the operator. `err` contains neither a secret nor a token. */
  readonly alarm: (words: string, fields: { readonly err: Error }) => void
}

type Send<A> = (stripe: Stripe, options: Stripe.RequestOptions) => Promise<A>

/** The limit of requests that are no payments. A payment's caller sets a limit of its own. */
const LIMIT_MS = 20 * SECOND

export function askForOrder<A>(
  needs: StripeNeeds,
  { token }: Pick<Order, 'token'>,
  request: Omit<StripeRequest, 'account'>,
  signal: AbortSignal,
  send: Send<A>,
): Promise<A> {
  return askAt(needs, { ...request, account: readStripeToken(token).account }, signal, send)
}

export function askInTime<A>(
  needs: StripeNeeds,
  request: StripeRequest,
  send: Send<A>,
): Promise<A> {
  return askAt(needs, request, AbortSignal.timeout(LIMIT_MS), send)
}

async function askAt<A>(
  { alarm, askStripe, checkAccount }: StripeNeeds,
  request: StripeRequest,
  signal: AbortSignal,
  send: Send<A>,
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
    if (refusal?.status === 401 || refusal?.status === 403) {
      const { account = 'the platform' } = request
      // Nothing fails for a refused key: payments wait until an operator has corrected it.
      alarm(`Stripe refuses our key for ${account}: its payments wait`, { err: errorOf(refusal) })
    }
    throw error
  }
}

/** With the id by which Stripe's own log shows the request. */
export function errorOf(refusal: StripeRefusal): Error {
  const { requestId = 'unknown', status } = refusal
  return new Error(`${status} ${codeOf(refusal)}, request ${requestId}`)
}
