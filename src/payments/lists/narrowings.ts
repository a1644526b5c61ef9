// The filters that do not apply to the tally, as SQL conditions on a transaction `t`.

import type { Put } from '../../db/terms.ts'
import { keywordTerm } from './keywords.ts'
import { type Listing, OWNERS, type Owner } from './listing.ts'

export interface Narrowing {
  /** Undefined if it uses several columns. */
  readonly column: Owner | 'total' | 'last_four' | undefined
  readonly term: string
}

/** The filter that finds the rows; the others are conditions on these rows. */
export type LeadingFilter = 'owner' | 'value' | 'keyword'

/** For a shorter one, the index of names and messages is read nearly whole. */
const SHORTEST_WORD = 3

/**
 * Undefined if only kind and time are filtered. A range of totals may leave nearly all rows, and so
 * may one total, such as that of a subscription. Each row would be compared with a keyword, so the
 * keyword finds them.
 */
export function leadingFilterOf({ filters }: Listing): LeadingFilter | undefined {
  const { owners, least, most, lastFour, keywords } = filters
  if (OWNERS.some((owner) => owners[owner] !== undefined)) return 'owner'
  const isOneTotal = least !== undefined && least === most
  const isWord = keywords.some(({ length }) => length >= SHORTEST_WORD)
  if (lastFour !== undefined || (isOneTotal && !isWord)) return 'value'
  if (keywords.length > 0) return 'keyword'
  return least === undefined && most === undefined ? undefined : 'value'
}

export function narrowingsOf({ accountId, filters }: Listing, put: Put): readonly Narrowing[] {
  const { owners, batchDay, least, most, lastFour, keywords } = filters
  const ownerTerm = (column: Owner, id: string) => {
    if (column !== 'batch_id') return `t.${column} = ${put(id)}`
    const day = batchDay === undefined ? frozenDay(put(accountId), put(id)) : put(batchDay)
    return `t.business_date = ${day} AND t.void_id IS NULL`
  }
  const amounts = [
    ...(least === undefined ? [] : [`t.total >= ${put(least)}`]),
    ...(most === undefined ? [] : [`t.total <= ${put(most)}`]),
  ]
  return [
    ...OWNERS.flatMap((column) => {
      const id = owners[column]
      return id === undefined ? [] : [{ column, term: ownerTerm(column, id) }]
    }),
    ...(amounts.length === 0 ? [] : [{ column: 'total' as const, term: amounts.join(' AND ') }]),
    ...(lastFour === undefined
      ? []
      : [{ column: 'last_four' as const, term: `t.last_four = ${put(lastFour)}` }]),
    ...keywords.map((keyword) => ({ column: undefined, term: keywordTerm(keyword, put) })),
  ]
}

/** The business date of a batch, as SQL. Null if it is open and not frozen. */
export function frozenDay(account: string, id: string): string {
  return `(SELECT business_date FROM batch
    WHERE account_id = ${account} AND id = ${id}::uuid AND closed_at IS NOT NULL)`
}
