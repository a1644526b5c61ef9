// Events that Checkout.com sends. They come late, twice and in any order, and anybody can send one,
// or a copy of an old one, since the signature contains no time. So only signed ones count, and all
// that they decide is which payment to ask about.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { isId } from '../../../core/id.ts'
import type { OrderKey } from '../port.ts'
import { ACCOUNT_FIELD } from './requests.ts'

/** Undefined if none of our secrets has signed it. */
export function readNotice(
  secrets: readonly string[],
  body: string,
  signature: string,
): readonly OrderKey[] | undefined {
  if (!secrets.some((secret) => isSignedWith(secret, body, signature))) return undefined
  return orderIn(body)
}

function isSignedWith(secret: string, body: string, signature: string): boolean {
  const wanted = createHmac('sha256', secret).update(body, 'utf8').digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

interface EventBody {
  readonly data?: {
    readonly reference?: string | null
    readonly metadata?: Readonly<Record<string, string>> | null
  } | null
}

/** The reference is our key of the payment, or of its capture, void or refund. */
function orderIn(body: string): readonly OrderKey[] {
  try {
    const { data } = JSON.parse(body) as EventBody
    const accountId = String(data?.metadata?.[ACCOUNT_FIELD])
    const key = String(data?.reference)
    return isId(accountId) && isId(key) ? [{ accountId, key }] : []
  } catch {
    return []
  }
}
