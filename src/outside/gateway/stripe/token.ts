// The token of a Stripe payment method, as our rows keep it. It names the account, so that a
// payment and all that follows it stay there, whatever the team's settings say later.

import assert from 'node:assert'

export interface StripeToken {
  /** The connected account. Undefined for the platform's own. */
  readonly account: string | undefined
  readonly customer: string
  /** `pm_…`, or `ctoken_…` from a payer's page, good for one payment. */
  readonly method: string
}

export function writeStripeToken({ account, customer, method }: StripeToken): string {
  return [account ?? '', customer, method].join(':')
}

export function readStripeToken(token: string): StripeToken {
  const [account, customer, method, ...rest] = token.split(':')
  assert(account !== undefined && customer && method && rest.length === 0, 'no token of Stripe')
  return { account: account === '' ? undefined : account, customer, method }
}

/** The payer is on the page, and can be asked by the bank. */
export function isFromPage({ method }: StripeToken): boolean {
  return method.startsWith('ctoken_')
}
