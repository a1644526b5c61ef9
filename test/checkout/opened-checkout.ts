// The gateway of Checkout.com at a stand-in of its own, with a stored card.

import { checkoutClient } from '../../src/outside/gateway/checkout/client.ts'
import { checkoutGateway } from '../../src/outside/gateway/checkout/gateway.ts'
import type { Gateway, Order } from '../../src/outside/gateway/port.ts'
import { newId } from '../../src/outside/identity.ts'
import { type CheckoutOptions, type CheckoutStandIn, openCheckout } from './stand-in/open.ts'

export const ACCOUNT = '0199c2a0-0000-7000-8000-000000000001'
export const HOUR_MS = 3_600_000

export interface Opened {
  readonly checkout: CheckoutStandIn
  readonly gateway: Gateway
  readonly token: string
}

const open: CheckoutStandIn[] = []
export const alarms: string[] = []

/** For after each test. */
export async function closeOpened(): Promise<void> {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]()
  alarms.length = 0
}

export async function opened(options: CheckoutOptions = {}): Promise<Opened> {
  const checkout = await openCheckout(options)
  open.push(checkout)
  const gateway = checkoutGateway({
    askCheckout: checkoutClient({ secretKey: checkout.secretKey, apiUrl: checkout.url }),
    processingChannel: checkout.processingChannel,
    webhookSecrets: [],
    now: () => checkout.now(),
    alarm: (words) => alarms.push(words),
  })
  const method = { token: checkout.token(), owner: { id: newId() } }
  const kept = await gateway.keepMethod?.(ACCOUNT, method)
  if (kept?.kind !== 'kept') throw new Error('the card was not kept')
  return { checkout, gateway, token: kept.token }
}

export function orderOf({ token }: Opened, more: Partial<Order> = {}): Order {
  const now = new Date()
  return {
    accountId: ACCOUNT,
    key: newId(),
    operation: 'charge',
    method: 'card',
    token,
    gatewayId: null,
    amount: 12_34n,
    currency: 'USD',
    now,
    deadlineAt: new Date(now.getTime() + 3 * HOUR_MS),
    ...more,
  }
}

export const signal = () => AbortSignal.timeout(5_000)

export async function paid(
  one: Opened,
  operation: 'charge' | 'pre_auth' = 'charge',
): Promise<NonNullable<Order['parent']>> {
  const { key } = orderOf(one)
  const answer = await one.gateway.carryOut(orderOf(one, { key, operation }), signal())
  await one.checkout.advance(HOUR_MS)
  const gatewayId = 'gatewayId' in answer ? answer.gatewayId : null
  return { key, operation, gatewayId }
}
