// The filters of a transaction list, and those of them that also apply to the tally, as SQL
// conditions on a `t` that is a transaction or a line of the tally.

import type { Cents } from '../../core/money.ts'
import type { TransactionStatus, TransactionType } from '../../core/transaction.ts'
import type { Span } from '../../core/whole-days.ts'
import { type Put, termsOf } from '../../db/terms.ts'
import type { Transaction } from '../../generated/client.ts'
import { isUnderWay } from '../transaction/under-way.ts'

/** The column of each sort. Within one status, transactions are sorted by id. */
export const TRANSACTION_SORTS = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  total: 'total',
  last_four: 'last_four',
  status: 'id',
} as const

export type TransactionSort = keyof typeof TRANSACTION_SORTS

/** The resources of a transaction, by their columns; those with the fewest transactions first. */
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
  readonly type?: TransactionType | undefined
  readonly status?: TransactionStatus | undefined
  readonly success?: boolean | undefined
  readonly method?: Transaction['method'] | undefined
  readonly isManual?: boolean | undefined
  readonly isPreAuth?: boolean | undefined
  /** Includes captures, voids and refunds. */
  readonly withChildren: boolean
  readonly owners: Readonly<Partial<Record<Owner, string>>>
  /**
   * The day of the batch in `owners`, so that an open batch lists the transactions that it would
   * close with.
   */
  readonly batchDay?: string | undefined
  readonly least?: Cents | undefined
  readonly most?: Cents | undefined
  readonly lastFour?: string | undefined
  /** Each keyword must match. */
  readonly keywords: readonly string[]
  readonly created: Span
}

export interface Listing {
  readonly accountId: string
  readonly filters: TransactionFilters
  readonly sort: TransactionSort
  readonly order: 'asc' | 'desc'
}

export const IS_PENDING = isUnderWay('t')

/** The condition of all other indexes. */
export const IS_DECIDED = `t.status <> 'PENDING'`

/**
 * Conditions that the planner must not use to find rows. Its statistics are about all accounts, but
 * in this account the condition may match much more.
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
  // A CHECK ensures that these are the children, except for transactions recorded by hand.
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
