// What a list of transactions is asked for, and what of it the tally knows too, as conditions of
// SQL about a `t` that is a transaction or a line of the tally.

import type { Cents } from '../../core/money.ts'
import type { TransactionStatus, TransactionType } from '../../core/transaction.ts'
import type { Span } from '../../core/whole-days.ts'
import { type Put, termsOf } from '../../db/terms.ts'
import type { Transaction } from '../../generated/client.ts'

/** The column of each sort. Transactions of one status are sorted by their ids. */
export const TRANSACTION_SORTS = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  total: 'total',
  last_four: 'last_four',
  status: 'id',
} as const

export type TransactionSort = keyof typeof TRANSACTION_SORTS

/** What transactions belong to, by the column that names it; first what has the fewest. */
export const OWNERS = [
  'invoice_id',
  'payment_method_id',
  'customer_id',
  'schedule_id',
  'payment_link_id',
  'batch_id',
] as const

export type Owner = (typeof OWNERS)[number]

export interface TransactionFilters {
  readonly type: TransactionType | undefined
  readonly status: TransactionStatus | undefined
  readonly success: boolean | undefined
  readonly method: Transaction['method'] | undefined
  readonly isManual: boolean | undefined
  readonly isPreAuth: boolean | undefined
  /** Captures, voids and refunds too. */
  readonly withChildren: boolean
  readonly owners: Readonly<Partial<Record<Owner, string>>>
  /** Of the batch that `owners` names, its day: so is listed what it will take, too. */
  readonly batchDay?: string | undefined
  readonly least: Cents | undefined
  readonly most: Cents | undefined
  readonly lastFour: string | undefined
  /** Each must be found. */
  readonly keywords: readonly string[]
  readonly created: Span
}

export interface Listing {
  readonly accountId: string
  readonly filters: TransactionFilters
  readonly sort: TransactionSort
  readonly order: 'asc' | 'desc'
}

/** As the index transaction_pending has it, to the letter. */
export const IS_PENDING = '(t.due_at IS NULL AND t.parked_at IS NULL) IS FALSE'

/** Of what has its place in every index but that. */
export const IS_DECIDED = `t.status <> 'PENDING'`

/**
 * Conditions that the planner must not take for a way to the rows: it knows all accounts, and not
 * this one, of which they may let much through.
 */
export function hiddenFromPlanner(terms: readonly string[]): readonly string[] {
  return terms.map((term) => `(${term}) IS TRUE`)
}

export function accountTerm({ accountId }: Listing, put: Put): string {
  return `t.account_id = ${put(accountId)}`
}

const KIND_FILTERS = {
  type: 't.type = $value',
  status: 't.status = $value',
  success: (isSuccess: boolean) => `t.status = '${isSuccess ? 'SUCCESS' : 'FAILED'}'`,
  method: 't.method = $value',
  isManual: (isManual: boolean) => (isManual ? 't.is_manual' : 'NOT t.is_manual'),
  isPreAuth: (isPreAuth: boolean) => `t.type ${isPreAuth ? '=' : '<>'} 'pre_auth'`,
  // A CHECK holds these to be the children, but for what somebody recorded by hand.
  withChildren: (isWith: boolean) =>
    isWith ? 'true' : "(t.is_manual OR t.type NOT IN ('capture', 'void', 'refund'))",
}

const TIME_FILTERS = { from: 't.created_at >= $value', before: 't.created_at < $value' }

export function listedKindTerms({ filters }: Listing, put: Put): readonly string[] {
  return termsOf(KIND_FILTERS, filters, put)
}

export function timeTerms({ filters }: Listing, put: Put): readonly string[] {
  return termsOf(TIME_FILTERS, filters.created, put)
}
