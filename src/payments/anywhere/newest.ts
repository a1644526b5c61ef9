// Reads the newest transactions of all accounts. A run of the index is an account, or, with filters
// on kinds or values, a kind within an account; the indexes have each run in the order of ids.

import { newestOfRuns } from '../../db/newest-anywhere.ts'
import { allOf, type Put, type Statement, statementOf } from '../../db/terms.ts'
import { hiddenFromPlanner, IS_DECIDED, IS_PENDING } from '../lists/listing.ts'
import {
  type AnywhereFilter,
  accountTerms,
  ageTerms,
  searchedKindTerms,
  valueTerms,
} from './anywhere-filter.ts'

/** Returns account_id and id. */
export function newestTransactions(filter: AnywhereFilter): Statement {
  return statementOf((put) => {
    const parts = isNarrowed(filter) ? narrowedParts(filter, put) : [ofAccounts(filter, put)]
    const union = parts.map((part) => `(${part})`).join(' UNION ALL ')
    return `SELECT account_id, id FROM (${union}) t ORDER BY id ${filter.direction}
      LIMIT ${put(filter.most)}`
  })
}

function isNarrowed({ type, status, method, total, lastFour }: AnywhereFilter): boolean {
  return [type, status, method, total, lastFour].some((one) => one !== undefined)
}

function narrowedParts(filter: AnywhereFilter, put: Put): readonly string[] {
  const { status } = filter
  return [
    ...(status === 'PENDING' ? [] : [ofKinds(filter, put)]),
    ...(status === undefined || status === 'PENDING' ? [ofPending(filter, put)] : []),
  ]
}

function ofAccounts(filter: AnywhereFilter, put: Put): string {
  const runs = `SELECT a.id AS account_id FROM account a WHERE ${allOf(accountTerms(filter, put))}`
  return newestOf(runs, ageTerms(filter, put), filter, put)
}

const KIND = ['type', 'status', 'method', 'is_manual'] as const

/** One look-up for each kind of an account. */
const KINDS = `
  WITH RECURSIVE kind AS (
    (SELECT ${KIND.join()} FROM transaction t
      WHERE t.account_id = a.id AND ${IS_DECIDED} ORDER BY ${KIND.join()} LIMIT 1)
    UNION ALL
    SELECT next.* FROM kind CROSS JOIN LATERAL (
      SELECT ${KIND.map((column) => `t.${column}`).join()} FROM transaction t
      WHERE t.account_id = a.id AND ${IS_DECIDED}
        AND (${KIND.map((column) => `t.${column}`).join()})
          > (${KIND.map((column) => `kind.${column}`).join()})
      ORDER BY ${KIND.map((column) => `t.${column}`).join()} LIMIT 1
    ) next
  )
  SELECT * FROM kind`

/** If there are two values, the index finds the rarer one, and the other is a condition. */
function ofKinds(filter: AnywhereFilter, put: Put): string {
  const [rarest, ...others] = valueTerms(filter, put)
  const runs = `
    SELECT a.id AS account_id, kind.* FROM account a CROSS JOIN LATERAL (${KINDS}) kind
    WHERE ${allOf([...accountTerms(filter, put), ...searchedKindTerms(filter, 'kind', put)])}`
  const terms = [
    ...KIND.map((column) => `t.${column} = run.${column}`),
    IS_DECIDED,
    ...(rarest === undefined ? [] : [rarest]),
    ...hiddenFromPlanner(others),
    ...ageTerms(filter, put),
  ]
  return newestOf(runs, terms, filter, put)
}

function newestOf(
  runs: string,
  terms: readonly string[],
  { most, direction }: AnywhereFilter,
  put: Put,
): string {
  const of = { table: 'transaction', alias: 't', runs, terms }
  const newest = newestOfRuns({ ...of, most: put(most), direction })
  return `SELECT account_id, id FROM (${newest}) newest`
}

/** There are few of them, and their index has no ids, so they are sorted. */
function ofPending(filter: AnywhereFilter, put: Put): string {
  const terms = [
    ...accountTerms(filter, put),
    ...searchedKindTerms(filter, 't', put),
    ...valueTerms(filter, put),
    ...ageTerms(filter, put),
  ]
  return `
    SELECT t.account_id, t.id FROM account a CROSS JOIN LATERAL (
      SELECT * FROM transaction t WHERE t.account_id = a.id AND ${IS_PENDING} OFFSET 0
    ) t
    WHERE ${allOf(terms)}`
}
