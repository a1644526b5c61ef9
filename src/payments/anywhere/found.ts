// Searches the transactions of all accounts for a word: an id of a transaction or of a related
// resource, an id of a gateway or a client, an order number, or a customer's name. Each kind of
// search looks up an index in every account; only customers are searched in all accounts at once.

import { isId, isLinkId } from '../../core/id.ts'
import { customerMatches } from '../../customers/search.ts'
import { arraysOf } from '../../db/arrays-of.ts'
import type { RowKey } from '../../db/columns.ts'
import {
  allOf,
  containing,
  orderNumberTerms,
  type Put,
  type Statement,
  statementOf,
} from '../../db/terms.ts'
import { hiddenFromPlanner, IS_DECIDED, IS_PENDING } from '../lists/listing.ts'
import { frozenDay } from '../lists/narrowings.ts'
import {
  type AnywhereFilter,
  accountTerms,
  ageTerms,
  searchedKindTerms,
  valueTerms,
} from './anywhere-filter.ts'

/** The index of names needs at least three characters. */
export const SHORTEST_NAME = 3

/** A name with more customers than this is too common to search for. */
export const MOST_CUSTOMERS = 200

/** The resources other than transactions that an id may name. */
const OWNERS = ['customer_id', 'payment_method_id', 'invoice_id', 'schedule_id']

export function isName(word: string): boolean {
  return [...word].length >= SHORTEST_NAME && !isId(word)
}

/** Returns account_id and id of customers, one more than are used. */
export function customersStatement(
  word: string,
  filter: Pick<AnywhereFilter, 'accountIds' | 'mode'>,
): Statement {
  return statementOf((put) => {
    const terms = [customerMatches(put(containing(word))), ...accountTerms(filter, put)]
    return `
      SELECT c.account_id, c.id FROM customer c JOIN account a ON a.id = c.account_id
      WHERE c.account_id IS NOT NULL AND ${terms.join(' AND ')}
      LIMIT ${MOST_CUSTOMERS + 1}`
  })
}

/** Returns account_id and id. */
export function foundStatement(
  word: string,
  customers: readonly RowKey[],
  filter: AnywhereFilter,
): Statement {
  return statementOf((put) => {
    const ways = [
      ...waysOf(word, put),
      ...(customers.length > 0 ? ofCustomers(customers, put) : []),
    ]
    const terms = [
      ...accountTerms(filter, put),
      ...hiddenFromPlanner([...searchedKindTerms(filter, 't', put), ...valueTerms(filter, put)]),
      ...ageTerms(filter, put),
    ]
    const found = ways.map((way) => `SELECT t.account_id, t.id ${way} WHERE ${allOf(terms)}`)
    return `SELECT account_id, id FROM (${found.join(' UNION ')}) t
      ORDER BY id ${filter.direction} LIMIT ${put(filter.most)}`
  })
}

function waysOf(word: string, put: Put): readonly string[] {
  if (isId(word)) return byIds(put(word))
  const text = put(word)
  return [
    byTerm(`t.auth_id = ${text} AND ${IS_DECIDED}`),
    byKey(text),
    ...orderNumberTerms('t', text).flatMap(decidedOrNot),
    ...(isLinkId(word) ? decidedOrNot(`t.payment_link_id = ${text}`) : []),
  ]
}

/** Those that are under way are few, and found by their own index. */
function decidedOrNot(term: string): readonly string[] {
  return [byTerm(`${term} AND ${IS_DECIDED}`), byTerm(`${IS_PENDING} AND (${term}) IS TRUE`)]
}

function byIds(id: string): readonly string[] {
  const owned = OWNERS.map((column) => `t.${column} = ${id}::uuid`)
  return [
    byTerm(`t.id = ${id}::uuid`),
    byTerm(`t.reference_id = ${id}::uuid`),
    ...owned.map((term) => byTerm(`${term} AND ${IS_DECIDED}`)),
    byTerm(`t.business_date = ${frozenDay('a.id', id)} AND t.void_id IS NULL`),
    byTerm(`${IS_PENDING} AND (${owned.map((term) => `(${term}) IS TRUE`).join(' OR ')})`),
  ]
}

/** OFFSET 0 keeps each a look-up by index. */
function byTerm(term: string): string {
  return `FROM account a CROSS JOIN LATERAL (
    SELECT * FROM transaction t WHERE t.account_id = a.id AND ${term} OFFSET 0
  ) t`
}

/** The table of idempotency keys knows the resource of each key. */
function byKey(text: string): string {
  return `FROM account a
    CROSS JOIN LATERAL (
      SELECT resource_id FROM idempotency WHERE account_id = a.id AND key = ${text} OFFSET 0
    ) i
    CROSS JOIN LATERAL (
      SELECT * FROM transaction t
      WHERE t.account_id = a.id AND t.id = i.resource_id::uuid AND t.idempotency_id = ${text}
      OFFSET 0
    ) t`
}

function ofCustomers(customers: readonly RowKey[], put: Put): readonly string[] {
  const [accounts, ids] = arraysOf(customers, 'accountId', 'id').map(put)
  const of = (state: string) => `
    FROM unnest(${accounts}::uuid[], ${ids}::uuid[]) AS c(account_id, id)
    JOIN account a ON a.id = c.account_id
    CROSS JOIN LATERAL (
      SELECT * FROM transaction t
      WHERE t.account_id = c.account_id AND t.customer_id = c.id AND ${state} OFFSET 0
    ) t`
  const pending = `
    FROM (SELECT DISTINCT account_id FROM unnest(${accounts}::uuid[]) AS named(account_id)) c
    JOIN account a ON a.id = c.account_id
    CROSS JOIN LATERAL (
      SELECT * FROM transaction t WHERE t.account_id = c.account_id AND ${IS_PENDING}
        AND (t.customer_id = ANY(${ids}::uuid[])) IS TRUE OFFSET 0
    ) t`
  return [of(IS_DECIDED), pending]
}
