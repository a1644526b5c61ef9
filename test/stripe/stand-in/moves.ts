// The movements in an account, as a plain list for a comparison with our own ledger.

import type { StripeAccount } from './account.ts'

export interface StripeMove {
  readonly kind: 'capture' | 'payment' | 'refund' | 'release'
  /** The id of the PaymentIntent or the refund. */
  readonly id: string
  readonly paymentIntent: string
  /** In cents. */
  readonly amount: number
  readonly currency: string
  /** The state of the PaymentIntent or the refund, in Stripe's words. */
  readonly state: string
  /** Whether the payment was paid or held, whatever happened later. */
  readonly isPaid: boolean
  /** The metadata of the PaymentIntent or the refund. */
  readonly metadata: Readonly<Record<string, string>>
  /** The key of the request that made it. */
  readonly idempotencyKey: string | undefined
  readonly at: Date
}

/** Payments in the order of their creation, each with its capture and its refunds. */
export function movesOf(account: StripeAccount): readonly StripeMove[] {
  return [...account.paymentIntents.values()].flatMap((intent) => {
    const { amount, created, currency, id, metadata, status: state } = intent
    const isPaid = account.charges.get(`${intent.latest_charge}`)?.paid === true
    const at = new Date(created * 1000)
    const common = { paymentIntent: id, currency, metadata, state, isPaid, at }
    const payment: StripeMove = {
      kind: 'payment',
      id,
      amount,
      idempotencyKey: account.keyOf.get(id),
      ...common,
    }
    const capture: StripeMove = {
      kind: 'capture',
      id,
      amount: intent.amount_received,
      idempotencyKey: account.keyOf.get(`${id}:capture`),
      ...common,
    }
    const isCaptured = intent.amount_received > 0
    const releasedBy = account.keyOf.get(`${id}:cancel`)
    const release: StripeMove = { ...payment, kind: 'release', idempotencyKey: releasedBy }
    const isReleased = state === 'canceled' && isPaid
    return [
      payment,
      ...(isCaptured ? [capture] : []),
      ...(isReleased ? [release] : []),
      ...refundsOf(account, id),
    ]
  })
}

function refundsOf(account: StripeAccount, intentId: string): readonly StripeMove[] {
  return [...account.refunds.values()]
    .filter((refund) => refund.payment_intent === intentId)
    .map((refund) => ({
      kind: 'refund' as const,
      id: refund.id,
      paymentIntent: intentId,
      amount: refund.amount,
      currency: refund.currency,
      state: `${refund.status}`,
      isPaid: true,
      metadata: refund.metadata ?? {},
      idempotencyKey: account.keyOf.get(refund.id),
      at: new Date(refund.created * 1000),
    }))
}
