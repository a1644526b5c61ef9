// Changes at Stripe without a request of ours: a payer answers, a refund fails, money is paid out,
// a bank disputes.

import type Stripe from 'stripe'
import { type StripeAccounts, setBalance } from './accounts.ts'
import { move } from './balance.ts'
import { chargeOf } from './charges.ts'
import { finishAuthentication } from './confirm.ts'
import {
  closeDispute,
  type DisputeEnd,
  type DisputeInput,
  escalateDispute,
  openDispute,
} from './disputes.ts'
import { intentOf } from './intents.ts'
import { failPayout, type PayoutInput, payOut } from './payouts.ts'
import { failRefund, payPendingRefunds } from './refunds.ts'
import { DECLINES, type DeclineReason } from './test-methods.ts'

export interface StripeControls {
  /** The payer of a payment in `requires_action` is authenticated, or is not. */
  authenticate(paymentIntentId: string, isAuthenticated: boolean): void
  /** A card is declined from now on, or accepted again if there is no reason. */
  declineCard(paymentMethodId: string, reason?: DeclineReason): void
  failRefund(refundId: string, reason?: string): void
  /** Sets the balance, in cents, and pays the refunds that were waiting for it. */
  setBalance(cents: number, accountId?: string): void
  /** Takes a fee, in cents, that belongs to no payment. */
  chargeFee(cents: number, accountId?: string): void
  payOut(input?: PayoutInput, accountId?: string): Stripe.Payout
  failPayout(payoutId: string, reason?: string): void
  openDispute(paymentIntentId: string, input?: DisputeInput): Stripe.Dispute
  escalateDispute(disputeId: string): void
  closeDispute(disputeId: string, status: DisputeEnd): void
  /** Revokes the key's access to a connected account. */
  revokeAccess(accountId: string): void
}

export function openControls(accounts: StripeAccounts): StripeControls {
  const accountOf = (id: string | undefined) =>
    id === undefined ? accounts.platform : accounts.connected(id)

  function disputeOf(id: string): Stripe.Dispute {
    const dispute = accounts.having(id).disputes.get(id)
    if (dispute === undefined) throw new Error(`${id} is no dispute`)
    return dispute
  }

  return {
    authenticate(id, isAuthenticated) {
      const account = accounts.having(id)
      finishAuthentication(account, intentOf(account, id), isAuthenticated)
    },
    declineCard(id, reason) {
      const { traits } = accounts.having(id)
      const before = traits.get(id)
      if (before?.kind !== 'card') throw new Error(`${id} is no card that can be charged`)
      const { decline: _, ...card } = before
      traits.set(id, reason === undefined ? card : { ...card, decline: DECLINES[reason] })
    },
    failRefund(id, reason = 'lost_or_stolen_card') {
      const account = accounts.having(id)
      const refund = account.refunds.get(id)
      if (refund === undefined) throw new Error(`${id} is no refund`)
      failRefund(account, refund, reason)
    },
    setBalance(cents, accountId) {
      const account = accountOf(accountId)
      setBalance(account, cents)
      payPendingRefunds(account)
    },
    chargeFee(cents, accountId) {
      const fee = { type: 'stripe_fee', amount: -cents, currency: 'usd', source: null } as const
      move(accountOf(accountId), fee)
    },
    payOut: (input, accountId) => structuredClone(payOut(accountOf(accountId), input)),
    failPayout(id, reason = 'account_closed') {
      const account = accounts.having(id)
      const payout = account.payouts.get(id)
      if (payout === undefined) throw new Error(`${id} is no payout`)
      failPayout(account, payout, reason)
    },
    openDispute(id, input = {}) {
      const account = accounts.having(id)
      const charge = chargeOf(account, intentOf(account, id))
      return structuredClone(openDispute(account, charge, input))
    },
    escalateDispute: (id) => escalateDispute(accounts.having(id), disputeOf(id)),
    closeDispute: (id, status) => closeDispute(accounts.having(id), disputeOf(id), status),
    revokeAccess: (id) => accounts.revoke(id),
  }
}
