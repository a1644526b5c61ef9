// What every live gateway keeps with our orders: the key, and the metadata by which they are found
// again.

import { isId, msOfId } from '../../core/id.ts'
import { DAY, HOUR } from '../../core/time-units.ts'
import type { Order, OrderKey } from './port.ts'

/** The names of the metadata. */
export const OUR_ACCOUNT = 'lamplighter_account'
export const OUR_OPERATION = 'lamplighter_operation'

/** A hold lasts a week at most, so the payment of a capture was made no longer before it. */
export const HOLDS_LAST_MS = 8 * DAY

/** Gateways keep an idempotency key for 24 hours. Afterwards it could be used a second time. */
const KEYS_ARE_KEPT_MS = 23 * HOUR

export function isKeyKept({ key, now }: Order): boolean {
  return now.getTime() - msOfId(key) < KEYS_ARE_KEPT_MS
}

/** When we accepted the order: our keys contain that instant. */
export function bookedAt(key: string): Date {
  return new Date(msOfId(key))
}

/** Undefined if another service made it. */
export function ourOrder(
  metadata: Readonly<Record<string, string>> | null | undefined,
  key: string | null | undefined,
): OrderKey | undefined {
  const accountId = metadata?.[OUR_ACCOUNT]
  return isId(accountId) && isId(key) ? { accountId, key } : undefined
}
