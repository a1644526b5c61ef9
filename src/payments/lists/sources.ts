// Finds the transactions of a filtered list, in no order, by the index of the filter that leaves
// the fewest.

import type { Query } from '../../db/database.ts'
import { type Put, statementOf } from '../../db/terms.ts'
import { keywordSources, type Source } from './keywords.ts'
import {
  type CountedKind,
  isDecided,
  KIND,
  readKind,
  runTerms,
  type TransactionKind,
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
import { narrowingsOf, wayOf } from './narrowings.ts'

/** For each kind of the account, how many transactions match. */
export async function countMatches(
  query: Query,
  listing: Listing,
  kinds: readonly CountedKind[],
): Promise<readonly CountedKind[]> {
  const { text, values } = statementOf((put) => {
    const decided = decidedSelects(listing, kinds.filter(isDecided), KIND, [], put)
    const pending = pendingTerms(listing, put).join(' AND ')
    const counts = (isByKeyword(listing) ? [decided.join(' UNION ')] : decided)
      .concat(`SELECT ${KIND} FROM transaction t WHERE ${pending}`)
      .map(
        (select) => `SELECT ${KIND}, count(*)::float8 AS count FROM (${select}) t GROUP BY ${KIND}`,
      )
    return counts.join(' UNION ALL ')
  })
  return (await query(text, values)).map(readKind)
}

/** A SELECT of matching decided transactions, each once: its id, and columns of `t`. */
export function decidedText(
  listing: Listing,
  kinds: readonly TransactionKind[],
  columns: string,
  more: readonly string[],
  put: Put,
): string {
  const selects = decidedSelects(
    listing,
    kinds,
    columns,
    [...more, ...hiddenFromPlanner([isAmong(kinds, put)])],
    put,
  )
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

function decidedSelects(
  listing: Listing,
  kinds: readonly TransactionKind[],
  columns: string,
  more: readonly string[],
  put: Put,
): readonly string[] {
  const terms = [
    ...hiddenFromPlanner(listedKindTerms(listing, put)),
    ...timeTerms(listing, put),
    ...narrowingsOf(withoutDriver(listing), put).map(({ term }) => term),
    ...more,
  ]
  return decidedSources(listing, kinds, put).map(
    (source) => `SELECT t.id, ${columns} ${source(terms)}`,
  )
}

function decidedSources(
  listing: Listing,
  kinds: readonly TransactionKind[],
  put: Put,
): readonly Source[] {
  switch (wayOf(listing)) {
    case 'owner':
      return [among(listing, [IS_DECIDED], put)]
    case 'keyword':
      return keywordSources(driverOf(listing), put(listing.accountId), put)
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
  return wayOf(listing) === 'keyword'
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
