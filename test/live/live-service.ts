// A service whose live accounts are charged through the stand-in for Stripe.

import { openStripe, type StripeOptions, type StripeStandIn } from '../stripe/stand-in/open.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

type ServiceOptions = NonNullable<Parameters<typeof openTestService>[0]>

export interface LiveService extends AsyncDisposable {
  readonly stripe: StripeStandIn
  readonly service: TestService
  readonly merchant: Merchant
  /** A payment method of the merchant, from one of Stripe's test tokens. */
  method(token: string, more?: object): Promise<string>
  post(path: string, body?: object): Promise<Awaited<ReturnType<typeof call>>>
  put(path: string, body: object): Promise<Awaited<ReturnType<typeof call>>>
  get(path: string): Promise<Awaited<ReturnType<typeof call>>>
  /** Waits until the transaction is final. */
  outcome(id: string): Promise<Record<string, unknown>>
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
  const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    call(service.app, method, path, merchant.headers, body)
  return {
    stripe,
    service,
    merchant,
    post: (path, body) => ask('POST', path, body),
    put: (path, body) => ask('PUT', path, body),
    get: (path) => ask('GET', path),
    async method(token, more = {}) {
      const method = token.startsWith('pm_usBankAccount') ? 'bank' : 'card'
      const body = { method, person_name: 'Ada Lovelace', payment_method_token: token, ...more }
      const made = await ask('POST', '/payment-method', body)
      if (made.status !== 200) throw new Error(`no payment method: ${made.text}`)
      return made.body.id
    },
    async outcome(id) {
      for (let looks = 0; looks < 400; looks += 1) {
        const { body } = await ask('GET', `/transaction/${id}`)
        if (body.status !== 'PENDING') return body
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      throw new Error(`${id} is still PENDING`)
    },
    async [Symbol.asyncDispose]() {
      await service.close()
      await stripe[Symbol.asyncDispose]()
    },
  }
}
