// /v1/balance_transactions: the effects of payments, refunds, disputes and payouts on the balance.

import type Stripe from 'stripe'
import { balanceOf, newId, type StripeAccount } from './account.ts'
import { textOf } from './fields.ts'
import { listPage } from './lists.ts'
import { invalid, noSuch } from './refusals.ts'
import { PAGE_FIELDS, type StripeCall, type StripeRoute } from './routes.ts'

export interface Movement {
  readonly type:
    | 'adjustment'
    | 'charge'
    | 'payment'
    | 'payout'
    | 'payout_failure'
    | 'refund'
    | 'refund_failure'
    | 'stripe_fee'
  /** In cents, negative for money that leaves the balance. */
  readonly amount: number
  readonly fee?: number
  readonly currency: string
  /** Null for a fee that is charged by itself. */
  readonly source: string | null
}

export const BALANCE_ROUTES: readonly StripeRoute[] = [
  {
    method: 'GET',
    path: '/v1/balance_transactions',
    fields: ['created', 'currency', 'payout', 'source', 'type', ...PAGE_FIELDS],
    run: list,
  },
  { method: 'GET', path: '/v1/balance_transactions/:id', fields: [], run: read },
  { method: 'GET', path: '/v1/balance', fields: [], run: readBalance },
]

/** Only disputes adjust the balance here. */
function categoryOf({ type, amount }: Movement): string {
  if (type === 'adjustment') return amount < 0 ? 'dispute' : 'dispute_reversal'
  return type === 'stripe_fee' ? 'fee' : type
}

/** Writes a balance transaction and returns its id. */
export function move(account: StripeAccount, movement: Movement): string {
  const { type, amount, fee = 0, currency, source } = movement
  const transaction: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: account.clock.seconds() + 2 * 24 * 60 * 60,
    balance_type: 'payments',
    created: account.clock.seconds(),
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [{ amount: fee, application: null, currency, description: null, type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: categoryOf(movement),
    source,
    status: 'pending',
    type,
  }
  account.balanceTransactions.set(transaction.id, transaction)
  return transaction.id
}

function list({ account, form }: StripeCall) {
  const payoutId = textOf(form, 'payout')
  const payout = payoutId === undefined ? undefined : account.payouts.get(payoutId)
  if (payoutId !== undefined && payout === undefined) throw noSuch('payout', payoutId, 'payout')
  if (payout?.automatic === false) {
    const message =
      'Balance transaction history can only be filtered on automatic transfers, not manual.'
    throw invalid(message, { param: 'payout' })
  }
  const transactions = [...account.balanceTransactions.values()].filter(
    (one) =>
      (payout === undefined || account.payoutOf.get(one.id) === payout.id) &&
      isAsked(form, 'type', one.type) &&
      isAsked(form, 'currency', one.currency) &&
      isAsked(form, 'source', one.source),
  )
  return listPage('/v1/balance_transactions', form, transactions)
}

function isAsked(form: StripeCall['form'], name: string, value: unknown): boolean {
  const wanted = textOf(form, name)
  return wanted === undefined || wanted === value
}

function read({ account, id }: StripeCall): Stripe.BalanceTransaction {
  const transaction = account.balanceTransactions.get(id)
  if (transaction === undefined) throw noSuch('balance transaction', id)
  return transaction
}

function readBalance({ account }: StripeCall) {
  return {
    object: 'balance',
    available: [{ amount: balanceOf(account), currency: 'usd', source_types: {} }],
    livemode: false,
    pending: [],
  } satisfies Partial<Stripe.Balance>
}
