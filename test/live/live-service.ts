// A service whose live accounts are charged through the stand-in for Stripe.

import { openStripe, type StripeOptions, type StripeStandIn } from '../stripe/stand-in/open.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'
import { type LiveCalls, liveCalls } from './live-calls.ts'

type ServiceOptions = NonNullable<Parameters<typeof openTestService>[0]>

export interface LiveService extends AsyncDisposable, LiveCalls {
  readonly stripe: StripeStandIn
  readonly service: TestService
  readonly merchant: Merchant
  /** A payment method of the merchant, from one of Stripe's test tokens. */
  method(token: string, more?: object): Promise<string>
}

export async function openLiveService(
  serviceOptions: ServiceOptions = {},
  options: StripeOptions = {},
): Promise<LiveService> {
  const stripe = await openStripe(options)
  const service = await openTestService({
    ...serviceOptions,
    settings: {
      CHARGE_WAIT_MS: '1500ms',
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_URL: stripe.url,
      ...serviceOptions.settings,
    },
  })
  const merchant = await service.merchant('live')
  const calls = liveCalls(service, merchant)
  return {
    ...calls,
    stripe,
    service,
    merchant,
    method(token, more = {}) {
      const method = token.startsWith('pm_usBankAccount') ? 'bank' : 'card'
      return calls.addMethod({ method, payment_method_token: token, ...more })
    },
    async [Symbol.asyncDispose]() {
      await service.close()
      await stripe[Symbol.asyncDispose]()
    },
  }
}
