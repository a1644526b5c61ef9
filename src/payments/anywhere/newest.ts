// Reads the newest transactions of all accounts. A run of the index is an account, or, with filters
// on kinds or values, a kind within an account; the indexes have each run in the order of ids.

import { newestOfRuns } from '../../db/newest-anywhere.ts'
import { allOf, type Put, type Statement, statementOf } from '../../db/terms.ts'
import { hiddenFromPlanner, IS_DECIDED, IS_PENDING } from '../lists/listing.ts'
import { type AnywhereWish, accountTerms, ageTerms, searchedKindTerms, valueTerms } from './wish.ts'

/** Returns account_id and id. */
export function newestTransactions(wish: AnywhereWish): Statement {
  return statementOf((put) => {
    const parts = isNarrowed(wish) ? narrowedParts(wish, put) : [ofAccounts(wish, put)]
    const union = parts.map((part) => `(${part})`).join(' UNION ALL ')
    return `SELECT account_id, id FROM (${union}) t ORDER BY id DESC LIMIT ${put(wish.most)}`
  })
}

function isNarrowed({ type, status, method, total, lastFour }: AnywhereWish): boolean {
  return [type, status, method, total, lastFour].some((one) => one !== undefined)
}

function narrowedParts(wish: AnywhereWish, put: Put): readonly string[] {
  const { status } = wish
  return [
    ...(status === 'PENDING' ? [] : [ofKinds(wish, put)]),
    ...(status === undefined || status === 'PENDING' ? [ofPending(wish, put)] : []),
  ]
}

function ofAccounts(wish: AnywhereWish, put: Put): string {
  const runs = `SELECT a.id AS account_id FROM account a WHERE ${allOf(accountTerms(wish, put))}`
  return newestOf(runs, ageTerms(wish, put), put(wish.most))
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

/** Of two values the index finds the rarer one, and the other is a condition. */
function ofKinds(wish: AnywhereWish, put: Put): string {
  const [rarest, ...others] = valueTerms(wish, put)
  const runs = `
    SELECT a.id AS account_id, kind.* FROM account a CROSS JOIN LATERAL (${KINDS}) kind
    WHERE ${allOf([...accountTerms(wish, put), ...searchedKindTerms(wish, 'kind', put)])}`
  const terms = [
    ...KIND.map((column) => `t.${column} = run.${column}`),
    IS_DECIDED,
    ...(rarest === undefined ? [] : [rarest]),
    ...hiddenFromPlanner(others),
    ...ageTerms(wish, put),
  ]
  return newestOf(runs, terms, put(wish.most))
}

function newestOf(runs: string, terms: readonly string[], most: string): string {
  const newest = newestOfRuns({ table: 'transaction', alias: 't', runs, terms, most })
  return `SELECT account_id, id FROM (${newest}) newest`
}

/** There are few of them, and their index has no ids, so they are sorted. */
function ofPending(wish: AnywhereWish, put: Put): string {
  const terms = [
    ...accountTerms(wish, put),
    ...searchedKindTerms(wish, 't', put),
    ...valueTerms(wish, put),
    ...ageTerms(wish, put),
  ]
  return `
    SELECT t.account_id, t.id FROM account a CROSS JOIN LATERAL (
      SELECT * FROM transaction t WHERE t.account_id = a.id AND ${IS_PENDING} OFFSET 0
    ) t
    WHERE ${allOf(terms)}`
}
