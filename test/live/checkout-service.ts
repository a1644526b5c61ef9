// A service whose live accounts may be charged through the stand-in for Checkout.com.

import { DAY } from '../../src/core/time-units.ts'
import { settleAccount } from '../../src/settlement/settle-account.ts'
import {
  type CheckoutOptions,
  type CheckoutStandIn,
  openCheckout,
} from '../checkout/stand-in/open.ts'
import { movableClock } from '../support/end-windows.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'
import { type LiveCalls, liveCalls } from './live-calls.ts'

type ServiceOptions = NonNullable<Parameters<typeof openTestService>[0]>

interface FollowUp {
  readonly id: string
  readonly status: string
}

export interface CheckoutService extends AsyncDisposable, LiveCalls {
  readonly checkout: CheckoutStandIn
  readonly service: TestService
  readonly merchant: Merchant
  /** A payment method of the merchant, from a card of the stand-in. */
  card(number?: string): Promise<string>
  /** Charges, and waits until it is decided. */
  charge(paymentMethodId: string, more?: object): Promise<Record<string, unknown>>
  /** Captures or refunds a part, and returns that follow-up once it is decided. */
  followUp(parentId: unknown, verb: 'capture' | 'refund', total: number): Promise<FollowUp>
  /** Closes the open batch, so that its transactions can be refunded. */
  closeBatch(): Promise<void>
}

function checkoutSettings(checkout: CheckoutStandIn) {
  return {
    CHECKOUT_SECRET_KEY: checkout.secretKey,
    CHECKOUT_PUBLIC_KEY: checkout.publicKey,
    CHECKOUT_PROCESSING_CHANNEL: checkout.processingChannel,
    CHECKOUT_WEBHOOK_SECRET: checkout.webhookSecret,
    CHECKOUT_API_URL: checkout.url,
  }
}

export async function openCheckoutService(
  serviceOptions: ServiceOptions = {},
  options: CheckoutOptions = {},
): Promise<CheckoutService> {
  const checkout = await openCheckout(options)
  const clock = movableClock()
  const service = await openTestService({
    clock,
    ...serviceOptions,
    settings: {
      CHARGE_WAIT_MS: '1500ms',
      ...checkoutSettings(checkout),
      ...serviceOptions.settings,
    },
  })
  const merchant = await service.merchant('live')
  const calls = liveCalls(service, merchant)
  const { post, get, outcome } = calls
  return {
    ...calls,
    checkout,
    service,
    merchant,
    card: (number) =>
      calls.addMethod({ method: 'card', payment_method_token: checkout.token(number) }),
    async charge(payment_method_id, more = {}) {
      const { body } = await post('/charge', { total: 12.34, payment_method_id, ...more })
      return outcome(body.id)
    },
    async followUp(parentId, verb, total) {
      await post(`/transaction/${parentId}/${verb}`, { total })
      const children = verb === 'capture' ? 'child_captures' : 'child_transactions'
      const last = async () => {
        const { body } = await get(`/transaction/${parentId}`)
        return (body[children] as FollowUp[]).at(-1)
      }
      const { id } = (await last()) ?? {}
      await outcome(id)
      return (await last()) ?? { id: '', status: 'none' }
    },
    async closeBatch() {
      clock.move(DAY)
      const { accountId } = merchant
      await settleAccount(service.world, { accountId, now: clock.now() })
    },
    async [Symbol.asyncDispose]() {
      await service.close()
      await checkout[Symbol.asyncDispose]()
    },
  }
}
