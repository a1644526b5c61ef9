// A list as the parts that indexes have in order.

import type { CountedKind } from './kinds.ts'
import { type Listing, TRANSACTION_SORTS, type TransactionSort } from './listing.ts'

export interface ListedKind extends CountedKind {
  /** So many of its kind that reading those in their order finds the list's soon enough. */
  readonly isDense: boolean
}

export interface Segment {
  /** What it is sorted by; where that is the id, nothing else is left to sort by. */
  readonly column: (typeof TRANSACTION_SORTS)[TransactionSort]
  readonly kinds: readonly ListedKind[]
  /** What makes it a part, beside its kinds: whether what it is sorted by is known. */
  readonly only?: 'known' | 'unknown'
  /** Undefined where only counting would tell. */
  readonly count: number | undefined
}

const STATUSES_UP = ['FAILED', 'PENDING', 'SUCCESS'] as const
const STATUSES_DOWN = ['SUCCESS', 'PENDING', 'FAILED'] as const

/** As they follow one another; null sorts last, whatever the order. */
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

export function totalOf(kinds: readonly CountedKind[]): number {
  return kinds.reduce((sum, { count }) => sum + count, 0)
}
