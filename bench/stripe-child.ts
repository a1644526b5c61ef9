// The stand-in for Stripe, as a process of its own.

import { openStripe } from '../test/stripe/stand-in/open.ts'
import { answerParent } from './child.ts'
import type { StandIn } from './live.ts'
import type { StripeAddress } from './stripe-account.ts'

answerParent(async (settings: StandIn): Promise<StripeAddress> => {
  const { publishableKey, secretKey, url } = await openStripe(settings)
  return { publishableKey, secretKey, url }
})
