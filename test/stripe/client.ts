// The official client of Stripe with a stand-in as its server, configured as in the service: it
// sends each request once.

import Stripe from 'stripe'
import type { StripeStandIn } from './stand-in/open.ts'

interface ClientInput {
  readonly secretKey?: string
  readonly stripeAccount?: string
  readonly timeout?: number
}

export function clientOf(standIn: StripeStandIn, input: ClientInput = {}): Stripe {
  const { secretKey = standIn.secretKey, ...config } = input
  return new Stripe(secretKey, {
    host: '127.0.0.1',
    port: standIn.port,
    protocol: 'http',
    httpClient: Stripe.createFetchHttpClient(measuredFetch),
    maxNetworkRetries: 0,
    telemetry: false,
    ...config,
  })
}

/**
 * Once a process has loaded the package undici, fetch refuses a Content-Length of its caller's. It
 * writes its own.
 */
const measuredFetch: typeof fetch = (address, options = {}) => {
  const headers = new Headers(options.headers)
  headers.delete('content-length')
  return fetch(address, { ...options, headers })
}

/** A card payment of 5.00 without the payer, confirmed at once. */
export const PAYMENT = {
  amount: 5_00,
  currency: 'usd',
  confirm: true,
  off_session: true,
  payment_method: 'pm_card_visa',
  automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
} as const satisfies Stripe.PaymentIntentCreateParams

/** The same as a hold. */
export const HOLD = { ...PAYMENT, capture_method: 'manual' } as const

/** The error with which a request failed. */
export async function errorOf(request: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await request
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error
    throw error
  }
  throw new Error('the request was answered without an error')
}
