// One page of a list, and the total.

import type { Database, Query } from '../../db/database.ts'
import type { Listing } from './listing.ts'
import { idsAt, openWalk } from './walk.ts'

/**
 * A page that is counted from the other end moves with each row that is added after the count. So
 * all pages but the first, which is counted from the beginning, are read in one snapshot.
 */
export function pageAt(
  { query, snapshot }: Pick<Database, 'query' | 'snapshot'>,
  listing: Listing,
  { skip, take }: { readonly skip: number; readonly take: number },
) {
  const read = async (by: Query) => {
    const walk = await openWalk(by, listing)
    return { total: walk.total, ids: await idsAt(by, walk, skip, take) }
  }
  if (skip > 0) return snapshot(read)
  return read(isPlannedOnce(listing) ? prepared(query, listing.accountId) : query)
}

/**
 * Of these filters the plan is the same for any value, and planning takes as long as reading the
 * first page. How a range or a keyword is found depends on what it is.
 */
function isPlannedOnce({ filters }: Listing): boolean {
  const { keywords, least, most, lastFour, created } = filters
  const other = least ?? most ?? lastFour ?? created.from ?? created.before
  return keywords.length === 0 && other === undefined
}

const nameOf = listNames()

function prepared(query: Query, accountId: string): Query {
  return (text, values) => query(text, values, nameOf(text, accountId))
}

/** For the combinations that clients use. A connection may keep 90 kB for each of them. */
const MOST_PREPARED = 50

/** An account with odd filters leaves names for the lists of others. */
const MOST_OF_ACCOUNT = 20

/** Names the texts that come first. The others are not prepared. */
export function listNames(): (text: string, accountId: string) => string | undefined {
  const names = new Map<string, string>()
  /** How many of the names an account was the first to use. */
  const namedBy = new Map<string, number>()
  return (text, accountId) => {
    const known = names.get(text)
    const named = namedBy.get(accountId) ?? 0
    if (known !== undefined || named >= MOST_OF_ACCOUNT || names.size >= MOST_PREPARED) return known
    const name = `list ${names.size}`
    names.set(text, name)
    namedBy.set(accountId, named + 1)
    return name
  }
}
