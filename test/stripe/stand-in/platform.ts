// /v1/account shows the account of the key, for a check of the settings.

import type Stripe from 'stripe'
import type { StripeCall, StripeRoute } from './routes.ts'

export const PLATFORM_ROUTES: readonly StripeRoute[] = [
  { method: 'GET', path: '/v1/account', fields: [], run: read },
]

function read({ account }: StripeCall) {
  return {
    id: account.id,
    object: 'account',
    charges_enabled: true,
    country: 'US',
    default_currency: 'usd',
    details_submitted: true,
    payouts_enabled: true,
    type: 'standard',
  } satisfies Partial<Stripe.Account>
}
