// Finds the transactions of a filtered list, in no order, by the index of the filter that leaves
// the fewest.

import type { Query } from '../../db/database.ts'
import { type Put, statementOf } from '../../db/terms.ts'
import {
  customerSearch,
  exactSearches,
  HAS_WORDS,
  noCustomerTerm,
  ownSearches,
  type Source,
  searchesOf,
  talliedWordsTerm,
  wordsTerm,
} from './keywords.ts'
import {
  type CountedKind,
  isDecided,
  KIND,
  kindKeyOf,
  readKind,
  runTerms,
  type TransactionKind,
  totalOf,
} from './kinds.ts'
import {
  accountTerm,
  hiddenFromPlanner,
  IS_DECIDED,
  IS_PENDING,
  type Listing,
  listedKindTerms,
  timeTerms,
} from './listing.ts'
import { leadingFilterOf, narrowingsOf } from './narrowings.ts'

/** This many rows can be found anywhere and sorted within some milliseconds. */
export const FEW = 10_000

/** For each kind of the account, how many transactions match. */
export async function countMatches(
  query: Query,
  listing: Listing,
  kinds: readonly CountedKind[],
): Promise<readonly CountedKind[]> {
  const byWords = isTallied(listing) ? await countWords(query, listing) : []
  const isCounted = totalOf(byWords) > FEW && (await mayBeCounted(query, listing))
  const { text, values } = statementOf((put) => {
    const decided = isCounted
      ? [untalliedSelects(listing, put).join(' UNION ')]
      : countedSelects(listing, kinds.filter(isDecided), put)
    const pending = pendingTerms(listing, put).join(' AND ')
    const counts = decided
      .concat(`SELECT ${KIND} FROM transaction t WHERE ${pending}`)
      .map(
        (select) => `SELECT ${KIND}, count(*)::float8 AS count FROM (${select}) t GROUP BY ${KIND}`,
      )
    return counts.join(' UNION ALL ')
  })
  const counted = (await query(text, values)).map(readKind)
  return summed(isCounted ? [...byWords, ...counted] : counted)
}

/** The tally of words knows nothing but kinds and texts: no times, owners, amounts or other words. */
function isTallied(listing: Listing): boolean {
  const { keywords, created, least, most } = listing.filters
  return (
    isByKeyword(listing) &&
    keywords.length === 1 &&
    least === undefined &&
    most === undefined &&
    created.from === undefined &&
    created.before === undefined
  )
}

/** For each kind, how many decided transactions match the keyword by their own words. */
async function countWords(query: Query, listing: Listing): Promise<readonly CountedKind[]> {
  const { text, values } = statementOf((put) => {
    const terms = [
      accountTerm(listing, put),
      talliedWordsTerm(driverOf(listing), put),
      ...hiddenFromPlanner(listedKindTerms(listing, put)),
    ]
    return `SELECT ${KIND}, sum(t.count)::float8 AS count FROM transaction_words t
      WHERE ${terms.join(' AND ')} GROUP BY ${KIND} HAVING sum(t.count) > 0`
  })
  return (await query(text, values)).map(readKind)
}

/**
 * The tally does not know which of the other matches also match by their words. So these are
 * visited, if they are few.
 */
async function mayBeCounted(query: Query, listing: Listing): Promise<boolean> {
  const { text, values } = statementOf((put) => {
    const visited = otherSelects(listing, [HAS_WORDS], put).join(' UNION ALL ')
    return `SELECT count(*)::float8 AS count FROM (${visited} LIMIT ${FEW + 1}) t`
  })
  const [visited] = await query(text, values)
  return visited?.count <= FEW
}

/** Several of the statements above may count transactions of the same kind. */
function summed(counted: readonly CountedKind[]): readonly CountedKind[] {
  const sums = new Map<string, CountedKind>()
  for (const kind of counted) {
    const key = kindKeyOf(kind)
    sums.set(key, { ...kind, count: kind.count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums.values()]
}

/**
 * A SELECT of matching decided transactions, each once: its id, and columns of `t`. Without kinds
 * the list of an owner is not limited to some of those that its filters leave.
 */
export function decidedText(
  listing: Listing,
  kinds: readonly TransactionKind[] | undefined,
  columns: string,
  more: readonly string[],
  put: Put,
): string {
  const among = kinds === undefined ? [] : hiddenFromPlanner([isAmong(kinds, put)])
  const selects = decidedSelects(listing, kinds ?? [], columns, [...more, ...among], put)
  return selects.join(isByKeyword(listing) ? ' UNION ' : ' UNION ALL ')
}

/** The conditions for pending transactions. */
export function pendingTerms(listing: Listing, put: Put): readonly string[] {
  return [
    accountTerm(listing, put),
    IS_PENDING,
    ...listedKindTerms(listing, put),
    ...timeTerms(listing, put),
    ...narrowingsOf(listing, put).map(({ term }) => term),
  ]
}

/** What matches the keyword by anything but its own words. */
function otherSelects(listing: Listing, more: readonly string[], put: Put): readonly string[] {
  const [driver, account] = [driverOf(listing), put(listing.accountId)]
  const terms = [...hiddenFromPlanner(listedKindTerms(listing, put)), ...more]
  const searches = [customerSearch(driver, account, put), ...exactSearches(driver, account, put)]
  return searches.map(({ source }) => `SELECT t.id, ${KIND} ${source(terms)}`)
}

/** The same without what the tally of words counts. */
function untalliedSelects(listing: Listing, put: Put): readonly string[] {
  const isUntallied = `NOT ${wordsTerm(driverOf(listing), put)}`
  return [[`NOT ${HAS_WORDS}`], [HAS_WORDS, isUntallied]].flatMap((more) =>
    otherSelects(listing, more, put),
  )
}

/**
 * Each matching transaction once. A keyword may find one by several sources, which takes longest to
 * see where there are many: nearly all of those match by their customer, and have only one.
 */
function countedSelects(
  listing: Listing,
  kinds: readonly TransactionKind[],
  put: Put,
): readonly string[] {
  if (!isByKeyword(listing)) return decidedSelects(listing, kinds, KIND, [], put)
  const [driver, account] = [driverOf(listing), put(listing.accountId)]
  const terms = besideDriver(listing, put)
  const others = [...terms, noCustomerTerm(driver, put)]
  return [
    `SELECT ${KIND} ${customerSearch(driver, account, put).source(terms)}`,
    ownSearches(driver, account, put)
      .map(({ source }) => `SELECT t.id, ${KIND} ${source(others)}`)
      .join(' UNION '),
  ]
}

function decidedSelects(
  listing: Listing,
  kinds: readonly TransactionKind[],
  columns: string,
  more: readonly string[],
  put: Put,
): readonly string[] {
  const sources = decidedSources(listing, kinds, put)
  // PostgreSQL refuses a statement that has a value and does not use it.
  if (sources.length === 0) return []
  const terms = [...besideDriver(listing, put), ...more]
  return sources.map((source) => `SELECT t.id, ${columns} ${source(terms)}`)
}

/** All conditions but the keyword that finds the rows. */
function besideDriver(listing: Listing, put: Put): readonly string[] {
  return [
    ...hiddenFromPlanner(listedKindTerms(listing, put)),
    ...timeTerms(listing, put),
    ...narrowingsOf(withoutDriver(listing), put).map(({ term }) => term),
  ]
}

function decidedSources(
  listing: Listing,
  kinds: readonly TransactionKind[],
  put: Put,
): readonly Source[] {
  switch (leadingFilterOf(listing)) {
    case 'owner':
      return [among(listing, [IS_DECIDED], put)]
    case 'keyword':
      return searchesOf(driverOf(listing), put(listing.accountId), put).map(({ source }) => source)
    // The indexes of values begin with the kind.
    case 'value':
    case undefined:
      return kinds.map((kind) => among(listing, runTerms(kind, put), put))
  }
}

function among(listing: Listing, conditions: readonly string[], put: Put): Source {
  const account = accountTerm(listing, put)
  return (terms) => `FROM transaction t WHERE ${[account, ...conditions, ...terms].join(' AND ')}`
}

function isByKeyword(listing: Listing): boolean {
  return leadingFilterOf(listing) === 'keyword'
}

/** The longest keyword usually finds the fewest. */
function driverOf({ filters }: Listing): string {
  return filters.keywords.reduce((one, other) => (other.length > one.length ? other : one), '')
}

/** The keyword that finds the rows need not be checked again. */
function withoutDriver(listing: Listing): Listing {
  if (!isByKeyword(listing)) return listing
  const driver = driverOf(listing)
  const keywords = listing.filters.keywords.filter((keyword) => keyword !== driver)
  return { ...listing, filters: { ...listing.filters, keywords } }
}

function isAmong(kinds: readonly TransactionKind[], put: Put): string {
  const rows = kinds.map(
    ({ type, status, method, isManual }) => `(${[type, status, method, isManual].map(put).join()})`,
  )
  return `(${KIND}) IN (${rows.join()})`
}
