// A service whose live accounts may be charged through the stand-in for Checkout.com.

import { settleAccount } from '../../src/settlement/settle-account.ts'
import {
  type CheckoutOptions,
  type CheckoutStandIn,
  openCheckout,
} from '../checkout/stand-in/open.ts'
import { movableClock } from '../support/end-windows.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

type ServiceOptions = NonNullable<Parameters<typeof openTestService>[0]>

const DAY_MS = 24 * 3_600_000

interface FollowUp {
  readonly id: string
  readonly status: string
}

export interface CheckoutService extends AsyncDisposable {
  readonly checkout: CheckoutStandIn
  readonly service: TestService
  readonly merchant: Merchant
  /** A payment method of the merchant, from a card of the stand-in. */
  card(number?: string): Promise<string>
  post(path: string, body?: object): ReturnType<typeof call>
  get(path: string): ReturnType<typeof call>
  /** Charges, and waits until it is decided. */
  charge(paymentMethodId: string, more?: object): Promise<Record<string, unknown>>
  /** Waits until the transaction is final. */
  outcome(id: unknown): Promise<Record<string, unknown>>
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
  const ask = (method: 'GET' | 'POST', path: string, body?: object) =>
    call(service.app, method, path, merchant.headers, body)

  async function outcome(id: unknown): Promise<Record<string, unknown>> {
    for (let looks = 0; looks < 400; looks += 1) {
      const { body } = await ask('GET', `/transaction/${id}`)
      if (body.status !== 'PENDING') return body
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error(`${id} is still PENDING`)
  }

  return {
    checkout,
    service,
    merchant,
    post: (path, body) => ask('POST', path, body),
    get: (path) => ask('GET', path),
    async card(number) {
      const payment_method_token = checkout.token(number)
      const body = { method: 'card', person_name: 'Ada Lovelace', payment_method_token }
      const made = await ask('POST', '/payment-method', body)
      if (made.status !== 200) throw new Error(`no payment method: ${made.text}`)
      return made.body.id
    },
    async charge(payment_method_id, more = {}) {
      const { body } = await ask('POST', '/charge', { total: 12.34, payment_method_id, ...more })
      return outcome(body.id)
    },
    outcome,
    async followUp(parentId, verb, total) {
      await ask('POST', `/transaction/${parentId}/${verb}`, { total })
      const children = verb === 'capture' ? 'child_captures' : 'child_transactions'
      const last = async () => {
        const { body } = await ask('GET', `/transaction/${parentId}`)
        return (body[children] as FollowUp[]).at(-1)
      }
      const { id } = (await last()) ?? {}
      await outcome(id)
      return (await last()) ?? { id: '', status: 'none' }
    },
    async closeBatch() {
      clock.move(DAY_MS)
      const { accountId } = merchant
      await settleAccount(service.world, { accountId, now: clock.now() })
    },
    async [Symbol.asyncDispose]() {
      await service.close()
      await checkout[Symbol.asyncDispose]()
    },
  }
}
