// Sends events, signed as Checkout.com signs them, and, on request of a test, late, twice, out of
// order, or never.

import { createHmac } from 'node:crypto'
import type { CheckoutEvent } from './business.ts'

export interface CheckoutWebhooks {
  /** The status of each answer, in the order of sending. Undefined if there was no answer. */
  readonly deliveries: readonly (number | undefined)[]
  /** Events that `hold` keeps back, the oldest first. */
  readonly held: readonly CheckoutEvent[]
  addEndpoint(url: string): void
  /** Later events are kept back. */
  hold(): void
  /** Sends the events that were kept back, and later events at once. */
  release(): Promise<void>
  /** Sends these events in this order, whether they were sent before or not. */
  deliver(...events: readonly CheckoutEvent[]): Promise<void>
  /** Resolves when no event is being sent. */
  idle(): Promise<void>
  take(event: CheckoutEvent): void
}

export function openCheckoutWebhooks(secret: string): CheckoutWebhooks {
  const urls: string[] = []
  const deliveries: (number | undefined)[] = []
  const underway = new Set<Promise<void>>()
  let held: CheckoutEvent[] = []
  let isHeld = false

  async function send(event: CheckoutEvent): Promise<void> {
    const payload = JSON.stringify(event)
    for (const url of urls) deliveries.push(await post(url, payload, secret))
  }

  function track(event: CheckoutEvent): Promise<void> {
    const sending = send(event).finally(() => underway.delete(sending))
    underway.add(sending)
    return sending
  }

  async function deliver(...events: readonly CheckoutEvent[]): Promise<void> {
    held = held.filter((one) => !events.includes(one))
    for (const event of events) await track(event)
  }

  return {
    deliveries,
    get held() {
      return held
    },
    addEndpoint: (url) => urls.push(url),
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      return deliver(...held)
    },
    deliver,
    async idle() {
      while (underway.size > 0) await Promise.all(underway)
    },
    take(event) {
      if (isHeld) held.push(event)
      else void track(event)
    },
  }
}

/** The header `Cko-Signature` of a payload. */
export function checkoutSignature(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(payload, 'utf8').digest('hex')
}

async function post(url: string, body: string, secret: string): Promise<number | undefined> {
  const signature = checkoutSignature(body, secret)
  const headers = { 'content-type': 'application/json', 'cko-signature': signature }
  try {
    const response = await fetch(url, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}
