// The filters that the tally knows nothing of, as conditions of SQL about a transaction `t`.

import { keywordTerm } from './keywords.ts'
import { type Listing, OWNERS, type Owner, type Put } from './listing.ts'

export interface Narrowing {
  /** Undefined: it looks at several. */
  readonly column: Owner | 'total' | 'last_four' | undefined
  readonly term: string
}

/** By what a list that is narrowed is found; the others are conditions of what was found. */
export type Way = 'owner' | 'value' | 'keyword'

/** Undefined where kind and time alone decide. */
export function wayOf({ filters }: Listing): Way | undefined {
  const { owners, least, most, lastFour, keywords } = filters
  if (OWNERS.some((owner) => owners[owner] !== undefined)) return 'owner'
  if (least !== undefined || most !== undefined || lastFour !== undefined) return 'value'
  return keywords.length > 0 ? 'keyword' : undefined
}

export function narrowingsOf({ filters }: Listing, put: Put): readonly Narrowing[] {
  const { owners, batchDay, least, most, lastFour, keywords } = filters
  const amounts = [
    ...(least === undefined ? [] : [`t.total >= ${put(least)}`]),
    ...(most === undefined ? [] : [`t.total <= ${put(most)}`]),
  ]
  return [
    ...OWNERS.flatMap((column) => {
      const id = owners[column]
      if (id === undefined) return []
      const taken = `t.${column} = ${put(id)}`
      const isTaking = column === 'batch_id' && batchDay !== undefined
      return [{ column, term: isTaking ? `(${taken} OR ${willTakeTerm(batchDay, put)})` : taken }]
    }),
    ...(amounts.length === 0 ? [] : [{ column: 'total' as const, term: amounts.join(' AND ') }]),
    ...(lastFour === undefined
      ? []
      : [{ column: 'last_four' as const, term: `t.last_four = ${put(lastFour)}` }]),
    ...keywords.map((keyword) => ({ column: undefined, term: keywordTerm(keyword, put) })),
  ]
}

/** As the index transaction_unbatched has it, without what somebody is about to void. */
function willTakeTerm(day: string, put: Put): string {
  const isUnbatched = `t.business_date = ${put(day)} AND t.batch_id IS NULL AND NOT t.is_voided`
  return `${isUnbatched} AND t.void_id IS NULL`
}
