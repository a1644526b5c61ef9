// The filters of an operator's search over all accounts, as SQL conditions on a transaction `t` and
// an account `a`.

import type { Mode } from '../../accounts/key.ts'
import { firstIdAt } from '../../core/id.ts'
import type { Cents } from '../../core/money.ts'
import type { TransactionStatus, TransactionType } from '../../core/transaction.ts'
import type { Span } from '../../core/whole-days.ts'
import type { Direction } from '../../db/newest-anywhere.ts'
import { type Put, termsOf } from '../../db/terms.ts'
import type { Transaction } from '../../generated/client.ts'

/** Undefined for any value. */
export interface AnywhereFilter {
  readonly accountIds: readonly string[] | undefined
  readonly mode: Mode | undefined
  readonly type: TransactionType | undefined
  readonly status: TransactionStatus | undefined
  readonly method: Transaction['method'] | undefined
  readonly total: Cents | undefined
  readonly lastFour: string | undefined
  /** When it was accepted, in real time, even for accounts with a clock of their own. */
  readonly accepted: Span
  /** Only transactions that come after this one, in the order that is asked for. */
  readonly before: string | undefined
  readonly most: number
  /** By the time at which it was accepted. */
  readonly direction: Direction
}

const ACCOUNT_FILTERS = { accountIds: 'a.id = ANY($value::uuid[])', mode: 'a.mode = $value' }

export function accountTerms(
  { accountIds, mode }: Pick<AnywhereFilter, 'accountIds' | 'mode'>,
  put: Put,
): readonly string[] {
  return termsOf(ACCOUNT_FILTERS, { accountIds, mode }, put)
}

/** Ids sort by the time at which they were made. */
const AGE_FILTERS = {
  from: (from: Date, put: Put) => `t.id >= ${put(firstIdAt(from))}`,
  end: (end: Date, put: Put) => `t.id < ${put(firstIdAt(end))}`,
  older: 't.id < $value',
  newer: 't.id > $value',
}

export function ageTerms(
  { accepted: { from, before: end }, before, direction }: AnywhereFilter,
  put: Put,
): readonly string[] {
  const beyond = direction === 'desc' ? { older: before } : { newer: before }
  return termsOf(AGE_FILTERS, { from, end, ...beyond }, put)
}

/** `alias` must have the columns of a kind. */
export function searchedKindTerms(
  filter: AnywhereFilter,
  alias: string,
  put: Put,
): readonly string[] {
  const filters = {
    type: `${alias}.type = $value`,
    status: `${alias}.status = $value`,
    method: `${alias}.method = $value`,
  }
  return termsOf(filters, filter, put)
}

const VALUE_FILTERS = { lastFour: 't.last_four = $value', total: 't.total = $value' }

export function valueTerms(filter: AnywhereFilter, put: Put): readonly string[] {
  return termsOf(VALUE_FILTERS, filter, put)
}
