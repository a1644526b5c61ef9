// Stripe as a gateway, with the stand-in behind it, and orders for it.

import { HOUR } from '../../src/core/time-units.ts'
import type { Gateway, Order } from '../../src/outside/gateway/port.ts'
import { type AskStripe, stripeClient } from '../../src/outside/gateway/stripe/client.ts'
import { stripeGateway } from '../../src/outside/gateway/stripe/gateway.ts'
import { newId } from '../../src/outside/identity.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

export const ACCOUNT = '0199c2a0-0000-7000-8000-000000000001'

export interface OpenedStripe {
  readonly stripe: StripeStandIn
  readonly ask: AskStripe
  readonly gateway: Gateway
  /** Of a card that pays. */
  readonly token: string
  gatewayOf(
    askStripe: AskStripe,
    checkAccount?: (isChange: boolean) => Promise<void>,
    account?: string,
  ): Gateway
  /** Keeps a payment method, and returns its token. */
  kept(method: string, owner?: object, by?: Gateway): Promise<string>
  orderOf(more?: Partial<Order>): Order
  /** Carries out the order, which must be approved, as the parent of others. */
  made(order: Order): Promise<NonNullable<Order['parent']> & { gatewayId: string }>
}

export async function openStripeGateway(): Promise<OpenedStripe> {
  const stripe = await openStripe()
  const { secretKey, url: apiUrl } = stripe
  const ask = stripeClient({ secretKey, apiUrl, requestsPerSecond: Number.MAX_SAFE_INTEGER })
  const gatewayOf: OpenedStripe['gatewayOf'] = (
    askStripe,
    checkAccount = async () => {},
    account = undefined,
  ) =>
    stripeGateway({
      askStripe,
      publishableKey: stripe.publishableKey,
      webhookSecrets: [],
      checkAccount,
      connectedAccountOf: async () => account,
      usedAccountsOf: async () => [account],
      now: () => stripe.now(),
      alarm: () => {},
    })
  const gateway = gatewayOf(ask)
  const kept: OpenedStripe['kept'] = async (method, owner = {}, by = gateway) => {
    const brought = { token: method, owner: { id: newId(), ...owner } }
    const answer = await by.keepMethod?.(ACCOUNT, brought)
    if (answer?.kind !== 'kept') throw new Error(`${method} was not kept`)
    return answer.token
  }
  const token = await kept('pm_card_visa')
  return {
    stripe,
    ask,
    gateway,
    token,
    gatewayOf,
    kept,
    orderOf(more = {}) {
      const now = new Date()
      const deadlineAt = new Date(now.getTime() + 3 * HOUR)
      const base = { accountId: ACCOUNT, key: newId(), token, gatewayId: null, now, deadlineAt }
      const money = { amount: 12_34n, currency: 'USD' }
      return { ...base, ...money, operation: 'charge', method: 'card', ...more }
    },
    async made(order) {
      const answer = await gateway.carryOut(order, AbortSignal.timeout(5_000))
      if (answer.kind !== 'approved') throw new Error(`the order is ${answer.kind}`)
      const { key, operation } = order
      return { key, operation, gatewayId: `${answer.gatewayId}` }
    },
  }
}
