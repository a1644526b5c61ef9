// One Stripe account with all its objects; a connected account is a separate one.

import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { StripeClock } from './clock.ts'
import type { KeptResult } from './idempotency.ts'
import type { StripeSettings } from './settings.ts'
import type { MethodTraits } from './test-methods.ts'

export interface StripeAccount {
  readonly id: string
  readonly isConnected: boolean
  readonly clock: StripeClock
  readonly settings: StripeSettings
  readonly balanceTransactions: Map<string, Stripe.BalanceTransaction>
  readonly charges: Map<string, Stripe.Charge>
  readonly confirmationTokens: Map<string, Stripe.ConfirmationToken>
  readonly customers: Map<string, Stripe.Customer | Stripe.DeletedCustomer>
  readonly disputes: Map<string, Stripe.Dispute>
  readonly events: Map<string, Stripe.Event>
  readonly paymentIntents: Map<string, Stripe.PaymentIntent>
  readonly paymentMethods: Map<string, Stripe.PaymentMethod>
  readonly payouts: Map<string, Stripe.Payout>
  readonly refunds: Map<string, Stripe.Refund>
  /** The behaviour of a payment method or a confirmation token when it is used. */
  readonly traits: Map<string, MethodTraits>
  /** Bank accounts that can be debited without the payer. */
  readonly mandates: Set<string>
  /** The payout that took a balance transaction. */
  readonly payoutOf: Map<string, string>
  /** The idempotency key of each order, by the object's id or `<id>:capture`. */
  readonly keyOf: Map<string, string>
  readonly keptResults: Map<string, KeptResult>
  /** The times of requests to an endpoint, by its method and path, in the host's milliseconds. */
  readonly arrivals: Map<string, readonly number[]>
  /** Cents outside the balance transactions. */
  otherMoney: number
  /** The request that is being executed. */
  request: Stripe.Event.Request | null
  /** Writes an event, and sends it to the webhook endpoints. */
  emit(type: Stripe.Event.Type, object: { readonly id: string }): void
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function newId(prefix: string): string {
  const letters = [...randomBytes(24)].map((byte) => LETTERS[byte % LETTERS.length])
  return `${prefix}_${letters.join('')}`
}

export function balanceOf(account: StripeAccount): number {
  const transactions = [...account.balanceTransactions.values()]
  return transactions.reduce((sum, { net }) => sum + net, account.otherMoney)
}
