// Stripe's limit on the rate of requests, for each endpoint of each account.

import type { StripeAccount } from './account.ts'
import { rateLimited } from './refusals.ts'
import type { StripeRoute } from './routes.ts'

/** Measured in the host's time: moving the stand-in's clock changes no rate. */
export function refuseTooFast(account: StripeAccount, { method, path }: StripeRoute): void {
  const now = performance.now()
  const endpoint = `${method} ${path}`
  const recent = (account.arrivals.get(endpoint) ?? []).filter((at) => at > now - 1000)
  if (recent.length >= account.settings.requestsPerSecond) throw rateLimited()
  account.arrivals.set(endpoint, [...recent, now])
}
