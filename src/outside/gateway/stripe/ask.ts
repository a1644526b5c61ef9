// Sends a request about an order to the Stripe account that its token names, and tells the operator
// of refusals that are not about the payment.

import type Stripe from 'stripe'
import type { Order } from '../port.ts'
import type { AskStripe, StripeRequest } from './client.ts'
import { codeOf, readRefusal, type StripeRefusal } from './refusals.ts'
import { readStripeToken } from './token.ts'

export interface StripeNeeds {
  readonly askStripe: AskStripe
  /** The connected account of an account of ours. Undefined for the platform's own. */
  readonly connectedAccountOf: (accountId: string) => Promise<string | undefined>
  readonly now: () => Date
  /** Tells the operator. `err` contains neither a secret nor a token. */
  readonly alarm: (words: string, fields: { readonly err: Error }) => void
}

export async function ask<A>(
  needs: StripeNeeds,
  { token }: Pick<Order, 'token'>,
  request: Omit<StripeRequest, 'account'>,
  signal: AbortSignal,
  send: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<A>,
): Promise<A> {
  const { account } = readStripeToken(token)
  try {
    return await needs.askStripe({ ...request, account }, signal, send)
  } catch (error) {
    const refusal = readRefusal(error)
    if (refusal !== undefined) alarmOf(needs, account, refusal)
    throw error
  }
}

/** Nothing fails for a refused key: its payments wait until an operator has mended it. */
function alarmOf({ alarm }: StripeNeeds, account = 'the platform', refusal: StripeRefusal): void {
  const { requestId, status, type } = refusal
  const err = new Error(`${status} ${codeOf(refusal)}, request ${requestId ?? 'unknown'}`)
  if (status === 401 || status === 403) {
    alarm(`Stripe refuses our key for ${account}: its payments wait`, { err })
  } else if ((status === 400 || status === 404) && type === 'invalid_request_error') {
    alarm(`Stripe refuses a request as wrong, for ${account}`, { err })
  }
}
