// The token of a payment method at Checkout.com, as our rows keep it. It names the processing
// channel, so that every repeat of an order is the same request, whatever the settings say later.

import assert from 'node:assert'

export interface CheckoutToken {
  /** `pc_…` */
  readonly channel: string
  /** The stored card, `src_…`. */
  readonly source: string
  /** The verification by which the payer agreed to later payments, `pay_…`. */
  readonly agreement: string
}

export function writeCheckoutToken({ channel, source, agreement }: CheckoutToken): string {
  return [channel, source, agreement].join(':')
}

export function readCheckoutToken(token: string): CheckoutToken {
  const [channel, source, agreement, ...rest] = token.split(':')
  assert(channel && source && agreement && rest.length === 0, 'no token of Checkout.com')
  return { channel, source, agreement }
}
