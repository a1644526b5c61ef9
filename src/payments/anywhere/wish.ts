// What an operator looks for among the transactions of all accounts, as conditions of SQL about a
// transaction `t` and an account `a`.

import type { Mode } from '../../accounts/key.ts'
import { firstIdAt } from '../../core/id-at.ts'
import type { Cents } from '../../core/money.ts'
import type { TransactionStatus, TransactionType } from '../../core/transaction.ts'
import type { Span } from '../../core/whole-days.ts'
import type { Transaction } from '../../generated/client.ts'
import type { Put } from '../lists/listing.ts'

/** Undefined is any. */
export interface AnywhereWish {
  readonly accountIds: readonly string[] | undefined
  readonly mode: Mode | undefined
  readonly type: TransactionType | undefined
  readonly status: TransactionStatus | undefined
  readonly method: Transaction['method'] | undefined
  readonly total: Cents | undefined
  readonly lastFour: string | undefined
  /** When it was accepted, by the real clock, whatever time its account lives in. */
  readonly accepted: Span
  /** Only what is older than this one. */
  readonly before: string | undefined
  readonly most: number
}

export function accountTerms({ accountIds, mode }: AnywhereWish, put: Put): readonly string[] {
  return [
    ...(accountIds === undefined ? [] : [`a.id = ANY(${put(accountIds)}::uuid[])`]),
    ...(mode === undefined ? [] : [`a.mode = ${put(mode)}`]),
  ]
}

/** Ids sort by the time at which they were made. */
export function ageTerms({ accepted, before }: AnywhereWish, put: Put): readonly string[] {
  const { from, before: end } = accepted
  return [
    ...(from === undefined ? [] : [`t.id >= ${put(firstIdAt(from))}`]),
    ...(end === undefined ? [] : [`t.id < ${put(firstIdAt(end))}`]),
    ...(before === undefined ? [] : [`t.id < ${put(before)}`]),
  ]
}

/** `alias` has the columns of a kind. */
export function kindTerms(
  { type, status, method }: AnywhereWish,
  alias: string,
  put: Put,
): readonly string[] {
  return [
    ...(type === undefined ? [] : [`${alias}.type = ${put(type)}`]),
    ...(status === undefined ? [] : [`${alias}.status = ${put(status)}`]),
    ...(method === undefined ? [] : [`${alias}.method = ${put(method)}`]),
  ]
}

export function valueTerms({ total, lastFour }: AnywhereWish, put: Put): readonly string[] {
  return [
    ...(lastFour === undefined ? [] : [`t.last_four = ${put(lastFour)}`]),
    ...(total === undefined ? [] : [`t.total = ${put(total)}`]),
  ]
}

/** Terms of a WHERE that may be none. */
export function allOf(terms: readonly string[]): string {
  return terms.length === 0 ? 'true' : terms.join(' AND ')
}
