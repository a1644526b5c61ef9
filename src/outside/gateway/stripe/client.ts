// Calls Stripe through its official client: each call sends one request, at a pace that Stripe
// grants each account, and ends when its caller's time is up.

import assert from 'node:assert'
import { setMaxListeners } from 'node:events'
import type Stripe from 'stripe'
import { NotSent } from '../port.ts'
import { type HttpRequest, stripeHttp } from './http.ts'
import { Pace } from './pace.ts'

export interface StripeTarget {
  readonly secretKey: string
  /** Stripe's own if absent. */
  readonly apiUrl?: string | undefined
  /** The requests to an endpoint of one account, from this process. */
  readonly requestsPerSecond: number
}

/** Names the account of a request, and the key under which Stripe executes it once. */
export interface StripeRequest {
  /** The connected account. Undefined for the platform's own. */
  readonly account: string | undefined
  readonly idempotencyKey?: string
  /** A second execution does no harm, so a kept refusal is not the last word. */
  readonly isRepeatable?: boolean
}

export type AskStripe = <A>(
  request: StripeRequest,
  signal: AbortSignal,
  send: SendToStripe<A>,
) => Promise<A>

export type SendToStripe<A> = (stripe: Stripe, options: Stripe.RequestOptions) => Promise<A>

export function stripeClient(target: StripeTarget): AskStripe {
  const pace = new Pace(target.requestsPerSecond)
  /** By the headers of a request: each has an object of its own. */
  const limits = new WeakMap<object, AbortSignal>()

  async function ready(request: HttpRequest): Promise<AbortSignal> {
    const limit = limits.get(request.headers)
    assert(limit !== undefined, 'every request is sent by the function below')
    await pace.turn(endpointOf(request), limit)
    return limit
  }

  // Loaded with the first call: a service without live accounts never needs it.
  let client: Promise<Stripe> | undefined
  const open = async () => {
    const { default: StripeClient } = await import('stripe')
    return new StripeClient(target.secretKey, {
      ...addressOf(target.apiUrl),
      httpClient: await stripeHttp(ready),
      maxNetworkRetries: 0,
      telemetry: false,
    })
  }

  return async ({ account, idempotencyKey }, signal, send) => {
    // Each request that a look-up sends listens to its limit.
    setMaxListeners(0, signal)
    client ??= open()
    const stripe = await client
    const options: Stripe.RequestOptions = {
      async authenticator({ headers }) {
        headers.Authorization = `Bearer ${target.secretKey}`
        limits.set(headers, signal)
      },
      ...(account !== undefined && { stripeAccount: account }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    }
    try {
      return await send(stripe, options)
    } catch (error) {
      throw refusedByPace(error) ?? error
    }
  }
}

/** The client wraps what its connections throw. A request that was not sent is no silence. */
function refusedByPace(error: unknown): NotSent | undefined {
  const cause = error instanceof Error && 'detail' in error ? error.detail : undefined
  return cause instanceof NotSent ? cause : undefined
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
function endpointOf({ headers, method, path }: HttpRequest): string {
  const account = headers['Stripe-Account'] ?? ''
  return `${account} ${method} ${path.replace(RESOURCE, '$1:id')}`
}
