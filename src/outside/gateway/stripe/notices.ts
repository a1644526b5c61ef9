// Events that Stripe sends. They come late, twice and in any order, and anybody can send one: so
// only signed ones count, and they only decide which payments to ask about, or which account's feed
// has news.

import type Stripe from 'stripe'
import { SECOND } from '../../../core/time-units.ts'
import { ourOrder } from '../order-marks.ts'
import type { GatewayPlace, OrderKey } from '../port.ts'
import type { StripeNeeds } from './ask.ts'
import { FEED_TYPES } from './feed.ts'
import { OUR_CAPTURE, OUR_KEY } from './requests.ts'

/** An older one may have been recorded on its way, and sent again. */
const OLDEST_SECONDS = 300

const LIMIT_MS = 10 * SECOND

/** Undefined if none of our secrets has signed it. */
export async function readStripeNotice(
  { askStripe, now: currentTime }: StripeNeeds,
  secrets: readonly string[],
  body: string,
  signature: string,
): Promise<readonly (OrderKey | GatewayPlace)[] | undefined> {
  const limit = AbortSignal.timeout(LIMIT_MS)
  const event = await askStripe({ account: undefined }, limit, async ({ webhooks }) => {
    for (const secret of secrets) {
      try {
        const at = currentTime().getTime()
        return webhooks.constructEvent(body, signature, secret, OLDEST_SECONDS, undefined, at)
      } catch {
        // Another secret may have signed it.
      }
    }
    return undefined
  })
  return event && [...ordersOf(event), ...feedOf(event)]
}

function feedOf({ account = '', type }: Stripe.Event): readonly GatewayPlace[] {
  return FEED_TYPES.some((one) => one === type) ? [{ place: account }] : []
}

/** The orders in the metadata of the event's object: a payment, its charge or its refund. */
function ordersOf({ data }: Stripe.Event): readonly OrderKey[] {
  // A signed event may be of any form, such as one that an operator tries.
  const object = data?.object as { readonly metadata?: Stripe.Metadata | null } | null | undefined
  const metadata = object?.metadata
  const keys = [metadata?.[OUR_KEY], metadata?.[OUR_CAPTURE]]
  return keys.flatMap((key) => ourOrder(metadata, key) ?? [])
}
