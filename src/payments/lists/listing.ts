// What a list of transactions is asked for, and what of it the tally knows too, as conditions of
// SQL about a `t` that is a transaction or a line of the tally.

import type { Cents } from '../../core/money.ts'
import type { TransactionStatus, TransactionType } from '../../core/transaction.ts'
import type { Span } from '../../core/whole-days.ts'
import type { Transaction } from '../../generated/client.ts'

export const TRANSACTION_SORTS = [
  'created_at',
  'updated_at',
  'total',
  'last_four',
  'status',
] as const

export type TransactionSort = (typeof TRANSACTION_SORTS)[number]

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
  /** Of the batch that `owners` names, while it is not closed, its day: what it will take, too. */
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

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Makes a value a parameter of the statement, and says how the statement names it. */
export type Put = (value: unknown) => string

/** A statement of the text that `write` makes. */
export function statementOf(write: (put: Put) => string): Statement {
  const values: unknown[] = []
  const text = write((value) => `$${values.push(value)}`)
  return { text, values }
}

/** As the index transaction_pending has it, to the letter. */
export const IS_PENDING = '(t.due_at IS NULL AND t.parked_at IS NULL) IS FALSE'

/** Of what has its place in every index but that. */
export const IS_DECIDED = `t.status <> 'PENDING'`

/**
 * Conditions that the planner must not take for a way to the rows: it knows all accounts, and not
 * this one, of which they may let much through.
 */
export function hidden(terms: readonly string[]): readonly string[] {
  return terms.map((term) => `(${term}) IS TRUE`)
}

export function accountTerm({ accountId }: Listing, put: Put): string {
  return `t.account_id = ${put(accountId)}`
}

export function kindTerms({ filters }: Listing, put: Put): readonly string[] {
  const { type, status, success, method, isManual, isPreAuth, withChildren } = filters
  return [
    ...(type === undefined ? [] : [`t.type = ${put(type)}`]),
    ...(status === undefined ? [] : [`t.status = ${put(status)}`]),
    ...(success === undefined ? [] : [`t.status = '${success ? 'SUCCESS' : 'FAILED'}'`]),
    ...(method === undefined ? [] : [`t.method = ${put(method)}`]),
    ...(isManual === undefined ? [] : [isManual ? 't.is_manual' : 'NOT t.is_manual']),
    ...(isPreAuth === undefined ? [] : [`t.type ${isPreAuth ? '=' : '<>'} 'pre_auth'`]),
    // A CHECK holds these to be the children, but for what somebody recorded by hand.
    ...(withChildren ? [] : ["(t.is_manual OR t.type NOT IN ('capture', 'void', 'refund'))"]),
  ]
}

export function timeTerms({ filters }: Listing, put: Put): readonly string[] {
  const { from, before } = filters.created
  return [
    ...(from === undefined ? [] : [`t.created_at >= ${put(from)}`]),
    ...(before === undefined ? [] : [`t.created_at < ${put(before)}`]),
  ]
}
