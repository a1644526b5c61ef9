// Payouts: a test makes them from everything that no payout has taken yet; /v1/payouts reads them.

import type Stripe from 'stripe'
import { newId, type StripeAccount } from './account.ts'
import { move } from './balance.ts'
import { listPage } from './lists.ts'
import { noSuch } from './refusals.ts'
import { PAGE_FIELDS, type StripeCall, type StripeRoute } from './routes.ts'

export interface PayoutInput {
  /** Only automatic ones list their balance transactions; true by default. */
  readonly isAutomatic?: boolean
  /** The time until `payout.reconciliation_completed`; 0 by default. */
  readonly reconciledAfterMs?: number
  /** That of the bank account, into which the balance is changed one for one; `usd` by default. */
  readonly currency?: string
  /** A day by default. */
  readonly arrivesAfterMs?: number
}

const DAY_MS = 24 * 60 * 60 * 1000

export const PAYOUT_ROUTES: readonly StripeRoute[] = [
  { method: 'GET', path: '/v1/payouts', fields: ['created', 'status', ...PAGE_FIELDS], run: list },
  { method: 'GET', path: '/v1/payouts/:id', fields: [], run: read },
]

/** Pays out the sum of the balance transactions, which may be less than 0. */
export function payOut(account: StripeAccount, input: PayoutInput = {}): Stripe.Payout {
  const { isAutomatic = true, reconciledAfterMs = 0, arrivesAfterMs = DAY_MS } = input
  const { currency = 'usd' } = input
  const transactions = [...account.balanceTransactions.values()].filter(
    ({ id, type }) => !account.payoutOf.has(id) && type !== 'payout',
  )
  const amount = transactions.reduce((sum, { net }) => sum + net, 0)
  const payout = { ...newPayout(account, amount, isAutomatic), currency }
  payout.arrival_date = account.clock.seconds() + Math.floor(arrivesAfterMs / 1000)
  account.payouts.set(payout.id, payout)
  const { id } = payout
  payout.balance_transaction = move(account, {
    type: 'payout',
    amount: -amount,
    currency,
    source: id,
  })
  for (const transaction of transactions) {
    transaction.status = 'available'
    account.payoutOf.set(transaction.id, id)
  }
  account.payoutOf.set(payout.balance_transaction, id)
  account.emit('payout.created', payout)
  payout.status = 'paid'
  account.emit('payout.paid', payout)
  if (isAutomatic) {
    account.clock.after(reconciledAfterMs, () => {
      payout.reconciliation_status = 'completed'
      account.emit('payout.reconciliation_completed', payout)
    })
  }
  return payout
}

/** The bank returns the money, even after the payout was paid; a later payout takes it. */
export function failPayout(account: StripeAccount, payout: Stripe.Payout, reason: string): void {
  const { amount, currency, id } = payout
  payout.status = 'failed'
  payout.failure_code = reason
  payout.failure_balance_transaction = move(account, {
    type: 'payout_failure',
    amount,
    currency,
    source: id,
  })
  account.emit('payout.failed', payout)
}

function newPayout(account: StripeAccount, amount: number, automatic: boolean): Stripe.Payout {
  return {
    id: newId('po'),
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: account.clock.seconds() + 24 * 60 * 60,
    automatic,
    balance_transaction: null,
    created: account.clock.seconds(),
    currency: 'usd',
    description: 'STRIPE PAYOUT',
    destination: newId('ba'),
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: automatic ? 'in_progress' : 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: null,
    type: 'bank_account',
  }
}

function list({ account, form }: StripeCall) {
  const payouts = [...account.payouts.values()].filter(
    ({ status }) => form.status === undefined || form.status === status,
  )
  return listPage('/v1/payouts', form, payouts)
}

function read({ account, id }: StripeCall): Stripe.Payout {
  const payout = account.payouts.get(id)
  if (payout === undefined) throw noSuch('payout', id)
  return payout
}
