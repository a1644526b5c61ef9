// Events that Checkout.com sends. They come late, twice and in any order, and anybody can send one,
// or a copy of an old one, since the signature contains no time. So only signed ones count, and all
// that they decide is which payment to ask about, or that the feed has news.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { isId } from '../../../core/id.ts'
import type { GatewayPlace, OrderKey } from '../port.ts'
import { ACCOUNT_FIELD } from './requests.ts'

/** Undefined if none of our secrets has signed it. */
export function readNotice(
  secrets: readonly string[],
  body: string,
  signature: string,
): readonly (OrderKey | GatewayPlace)[] | undefined {
  if (!secrets.some((secret) => isSignedWith(secret, body, signature))) return undefined
  const event = parsed(body)
  return String(event?.type).startsWith('dispute_') ? [{ place: '' }] : orderIn(event)
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

/** The reference is our key of the payment, or of its capture, void or refund. */
function orderIn(event: EventBody | null): readonly OrderKey[] {
  const accountId = String(event?.data?.metadata?.[ACCOUNT_FIELD])
  const key = String(event?.data?.reference)
  return isId(accountId) && isId(key) ? [{ accountId, key }] : []
}

/** A signed event may be of any form, such as one that an operator tries. */
function parsed(body: string): EventBody | null {
  try {
    return JSON.parse(body) as EventBody | null
  } catch {
    return null
  }
}
