// Events that Checkout.com sends. They come late, twice and in any order, and anybody can send one,
// or a copy of an old one, since the signature contains no time. So only signed ones count, and all
// that they decide is which payment to ask about, or that the feed has news.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { ourOrder } from '../order-marks.ts'
import type { GatewayPlace, OrderKey } from '../port.ts'

/** Undefined if none of our secrets has signed it. */
export function readCheckoutNotice(
  secrets: readonly string[],
  body: string,
  signature: string,
): readonly (OrderKey | GatewayPlace)[] | undefined {
  if (!secrets.some((secret) => isSignedWith(secret, body, signature))) return undefined
  const event = parsed(body)
  if (String(event?.type).startsWith('dispute_')) return [{ place: '' }]
  // The reference is our key of the payment, or of its capture, void or refund.
  return [ourOrder(event?.data?.metadata, event?.data?.reference) ?? []].flat()
}

function isSignedWith(secret: string, body: string, signature: string): boolean {
  const wanted = createHmac('sha256', secret).update(body, 'utf8').digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

interface EventBody {
  readonly type?: string
  readonly data?: {
    readonly reference?: string | null
    readonly metadata?: Readonly<Record<string, string>> | null
  } | null
}

/** A signed event may be of any form, such as one that an operator tries. */
function parsed(body: string): EventBody | null {
  try {
    return JSON.parse(body) as EventBody | null
  } catch {
    return null
  }
}
