// One page of a list, and the total.

import type { Database, Query } from '../../db/database.ts'
import type { Listing } from './listing.ts'
import { idsAt, openWalk } from './walk.ts'

export interface FoundPage {
  readonly total: number
  readonly ids: readonly string[]
}

/**
 * A page that is counted from the other end moves with each row that is added after the count. So
 * all pages but the first, which is counted from the beginning, are read in one snapshot.
 */
export function pageAt(
  { query, snapshot }: Pick<Database, 'query' | 'snapshot'>,
  listing: Listing,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<FoundPage> {
  const read = async (by: Query) => {
    const walk = await openWalk(by, listing)
    return { total: walk.total, ids: await idsAt(by, walk, skip, take) }
  }
  return skip === 0 ? read(query) : snapshot(read)
}
