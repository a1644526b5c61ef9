// Sends events to webhook endpoints, signed as Stripe signs them, and, on request of a test, late,
// twice, out of order, never, or forged.

import { createHmac, randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { StripeClock } from './clock.ts'

export interface WebhookEndpoint {
  readonly url: string
  /** The stand-in's own by default. */
  readonly secret?: string
  /** The accounts whose events it gets; all by default. */
  readonly listensTo?: 'connected accounts' | 'own account'
}

interface WebhookDelivery {
  readonly eventId: string
  readonly type: string
  readonly url: string
  /** Undefined if there was no answer. */
  readonly status: number | undefined
}

export interface Webhooks {
  /** The deliveries in the order of sending. */
  readonly deliveries: readonly WebhookDelivery[]
  /** Events that `hold` keeps back, the oldest first. */
  readonly held: readonly Stripe.Event[]
  addEndpoint(endpoint: WebhookEndpoint): void
  /** Later events are kept back: they stay in `held`, for ever if need be. */
  hold(): void
  /** Sends the events that were kept back, and later events at once. */
  release(): Promise<void>
  /** Sends these events in this order, whether they were sent before or not. */
  deliver(...events: readonly Stripe.Event[]): Promise<void>
  /** Sends an event signed with a secret that is not the endpoint's. */
  forge(event: Stripe.Event): Promise<void>
  /** Resolves when no event is being sent. */
  idle(): Promise<void>
  /** Takes a new event. */
  take(event: Stripe.Event): void
  /** Aborts the deliveries in progress. */
  close(): Promise<void>
}

export interface WebhookSettings {
  readonly endpoints: readonly WebhookEndpoint[]
  readonly secret: string
  readonly clock: StripeClock
  /** The time in a signature; by default the host's, which the receiver has too. */
  readonly signedAt?: (() => Date) | undefined
}

interface Sending {
  readonly secret: string
  readonly at: Date
  readonly closing: AbortSignal
}

const HOUR = 60 * 60 * 1000

/** The retries within three days, each after twice the wait. */
const RETRIES_AFTER_MS = [1, 2, 4, 8, 16, 32].map((hours) => hours * HOUR)

export function openWebhooks(settings: WebhookSettings): Webhooks {
  const { clock, secret, signedAt = () => new Date() } = settings
  const endpoints = [...settings.endpoints]
  const deliveries: WebhookDelivery[] = []
  const underway = new Set<Promise<void>>()
  const closing = new AbortController()
  let held: Stripe.Event[] = []
  let isHeld = false

  async function send(
    event: Stripe.Event,
    endpoint: WebhookEndpoint,
    attempt: number,
    signingSecret = endpoint.secret ?? secret,
  ): Promise<void> {
    const status = await post(endpoint.url, event, {
      secret: signingSecret,
      at: signedAt(),
      closing: closing.signal,
    })
    deliveries.push({ eventId: event.id, type: event.type, url: endpoint.url, status })
    const retryAfter = RETRIES_AFTER_MS[attempt]
    const isTaken = status !== undefined && status >= 200 && status < 300
    if (isTaken || retryAfter === undefined) return
    clock.after(retryAfter, () => track(send(event, endpoint, attempt + 1, signingSecret)))
  }

  function track(sending: Promise<void>): Promise<void> {
    const tracked = sending.finally(() => underway.delete(tracked))
    underway.add(tracked)
    return tracked
  }

  async function sendAll(event: Stripe.Event): Promise<void> {
    const listening = endpoints.filter(({ listensTo }) => hears(listensTo, event))
    await Promise.all(listening.map((endpoint) => track(send(event, endpoint, 0))))
  }

  async function deliver(...events: readonly Stripe.Event[]): Promise<void> {
    held = held.filter((one) => !events.includes(one))
    for (const event of events) await sendAll(event)
  }

  async function idle(): Promise<void> {
    while (underway.size > 0) await Promise.all(underway)
  }

  return {
    deliveries,
    get held() {
      return held
    },
    addEndpoint: (endpoint) => endpoints.push(endpoint),
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      return deliver(...held)
    },
    deliver,
    async forge(event) {
      const listening = endpoints.filter(({ listensTo }) => hears(listensTo, event))
      const wrong = `whsec_${randomBytes(16).toString('hex')}`
      const last = RETRIES_AFTER_MS.length
      await Promise.all(listening.map((endpoint) => track(send(event, endpoint, last, wrong))))
    },
    idle,
    take(event) {
      if (isHeld) held.push(event)
      else void sendAll(event)
    },
    close() {
      closing.abort()
      return idle()
    },
  }
}

/** The header `Stripe-Signature` of a payload. */
export function stripeSignature(payload: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  const hmac = createHmac('sha256', secret).update(`${seconds}.${payload}`, 'utf8')
  return `t=${seconds},v1=${hmac.digest('hex')}`
}

function hears(listensTo: WebhookEndpoint['listensTo'], { account }: Stripe.Event): boolean {
  if (listensTo === undefined) return true
  return (listensTo === 'connected accounts') === (account !== undefined)
}

async function post(
  url: string,
  event: Stripe.Event,
  { secret, at, closing }: Sending,
): Promise<number | undefined> {
  const payload = JSON.stringify(event, null, 2)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': stripeSignature(payload, secret, at),
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body: payload,
      // Stripe waits about this long for an endpoint's answer.
      signal: AbortSignal.any([closing, AbortSignal.timeout(20_000)]),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}
