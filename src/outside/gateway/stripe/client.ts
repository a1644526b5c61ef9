// Calls Stripe through its official client: each call sends one request, at a pace that Stripe
// grants each account, and ends when its caller's time is up.

import { AsyncLocalStorage } from 'node:async_hooks'
import type Stripe from 'stripe'
import { Pace, TooFast } from './pace.ts'

export interface StripeTarget {
  readonly secretKey: string
  /** Stripe's own if absent. */
  readonly apiUrl?: string | undefined
  readonly requestsPerSecond?: number | undefined
}

/** Where a request is sent, and the key under which Stripe executes it once. */
export interface StripeRequest {
  /** The connected account. Undefined for the platform's own. */
  readonly account: string | undefined
  readonly idempotencyKey?: string
}

export type AskStripe = <A>(
  request: StripeRequest,
  signal: AbortSignal,
  ask: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<A>,
) => Promise<A>

/** Stripe grants this many requests to an endpoint of one account in a second. */
const REQUESTS_PER_SECOND = 25

export function stripeClient(target: StripeTarget): AskStripe {
  const pace = new Pace(target.requestsPerSecond ?? REQUESTS_PER_SECOND)
  const limits = new AsyncLocalStorage<AbortSignal>()

  async function pacedFetch(
    url: string | URL | Request,
    { signal, ...init }: RequestInit = {},
  ): Promise<Response> {
    const signals = [signal, limits.getStore()].filter((one) => one != null)
    const limit = AbortSignal.any(signals)
    await pace.turn(endpointOf(`${url}`, init), limit)
    return fetch(url, { ...init, signal: limit })
  }

  // Loaded with the first call: a service without live accounts never needs it.
  let client: Promise<Stripe> | undefined
  const open = async () => {
    const { default: StripeClient } = await import('stripe')
    return new StripeClient(target.secretKey, {
      ...addressOf(target.apiUrl),
      httpClient: StripeClient.createFetchHttpClient(pacedFetch),
      maxNetworkRetries: 0,
      telemetry: false,
    })
  }

  return async ({ account, idempotencyKey }, signal, ask) => {
    client ??= open()
    const stripe = await client
    const options: Stripe.RequestOptions = {
      ...(account !== undefined && { stripeAccount: account }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    }
    try {
      return await limits.run(signal, () => ask(stripe, options))
    } catch (error) {
      throw refusedByPace(error) ?? error
    }
  }
}

/** The client wraps what its fetch throws. A request that was not sent is no silence. */
function refusedByPace(error: unknown): TooFast | undefined {
  const cause = error instanceof Error && 'detail' in error ? error.detail : undefined
  return cause instanceof TooFast ? cause : undefined
}

function addressOf(apiUrl: string | undefined): Stripe.StripeConfig {
  if (apiUrl === undefined) return {}
  const { hostname, port, protocol } = new URL(apiUrl)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return { host: hostname, port: port || (scheme === 'http' ? 80 : 443), protocol: scheme }
}

/** `/v1/payment_intents/pi_1/capture` */
const RESOURCE = /^(\/v1\/\w+\/)[^/]+/

/** The account, the method and the path without its id: what Stripe counts together. */
function endpointOf(url: string, { headers, method = 'GET' }: RequestInit): string {
  const account = new Headers(headers).get('stripe-account') ?? ''
  return `${account} ${method} ${new URL(url).pathname.replace(RESOURCE, '$1:id')}`
}
