// Splits a list into parts that indexes have in order.

import { type CountedKind, totalOf } from './kinds.ts'
import { type Listing, TRANSACTION_SORTS, type TransactionSort } from './listing.ts'

export interface ListedKind extends CountedKind {
  /** So many rows of its kind match that reading the kind in order finds a page quickly. */
  readonly isDense: boolean
}

export interface Segment {
  /** The sort column. If it is the id, there is no further one. */
  readonly column: (typeof TRANSACTION_SORTS)[TransactionSort]
  readonly kinds: readonly ListedKind[]
  /** In addition to the kinds: only rows with, or without, a value to sort by. */
  readonly only?: 'known' | 'unknown'
  /** Undefined if only a count could show it. */
  readonly count: number | undefined
}

const STATUSES_UP = ['FAILED', 'PENDING', 'SUCCESS'] as const
const STATUSES_DOWN = ['SUCCESS', 'PENDING', 'FAILED'] as const

/** The segments in the order of the list. Null sorts last in both orders. */
export function segmentsOf(
  { sort, order }: Pick<Listing, 'sort' | 'order'>,
  kinds: readonly ListedKind[],
): readonly Segment[] {
  const column = TRANSACTION_SORTS[sort]
  switch (sort) {
    case 'created_at':
    case 'updated_at':
    case 'total':
      return [{ column, kinds, count: totalOf(kinds) }]
    case 'last_four':
      return [
        { column, kinds, only: 'known', count: undefined },
        { column, kinds, only: 'unknown', count: undefined },
      ]
    case 'status':
      return (order === 'asc' ? STATUSES_UP : STATUSES_DOWN).map((status) => {
        const some = kinds.filter((kind) => kind.status === status)
        return { column, kinds: some, count: totalOf(some) }
      })
  }
}
