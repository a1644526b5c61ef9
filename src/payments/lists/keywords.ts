// How a keyword finds transactions: by customer, by id, by order number, and by the texts of the
// transaction.

import { isId } from '../../core/id.ts'
import { customerMatches } from '../../customers/search.ts'
import { containing, orderNumberTerms, type Put } from '../../db/terms.ts'
import { IS_DECIDED } from './listing.ts'

/** `FROM … WHERE …` of decided transactions `t`. Further conditions can be added. */
export type Source = (terms: readonly string[]) => string

/** A condition on `t`, and the index that has the matches together. */
interface Search {
  readonly term: string
  readonly source: Source
}

/**
 * Exactly the expression and the condition of the index transaction_search. The gateway's message
 * about a success is not searched, because it says nothing.
 */
const WORDS = "coalesce(t.message || ' ', '') || coalesce(t.source, '')"
export const HAS_WORDS = "(t.status = 'FAILED' OR t.is_manual)"

const LAST_FOUR = /^\w{1,4}$/

/** True of a transaction that matches the keyword. */
export function keywordTerm(keyword: string, put: Put): string {
  const searches = searchesOf(keyword, 't.account_id', put)
  return `(${searches.map(({ term }) => term).join(' OR ')})`
}

/** The lines of the tally of words that match the keyword. */
export function talliedWordsTerm(keyword: string, put: Put): string {
  return `t.words ILIKE ${put(containing(keyword))}`
}

/**
 * False of a transaction whose customer matches the keyword. Unlike `keywordTerm` it may be
 * answered for many transactions at once.
 */
export function noCustomerTerm(keyword: string, put: Put): string {
  return `NOT EXISTS (${customerOf(put(containing(keyword)))})`
}

/** True of a transaction that matches the keyword by its own words. */
export function wordsTerm(keyword: string, put: Put): string {
  return `(${HAS_WORDS} AND (${WORDS}) ILIKE ${put(containing(keyword))})`
}

/**
 * Two searches may find the same transaction. `account` is the name of the account's id in the
 * statement.
 */
export function searchesOf(keyword: string, account: string, put: Put): readonly Search[] {
  return [customerSearch(keyword, account, put), ...ownSearches(keyword, account, put)]
}

/** By the customer of the transaction. */
export function customerSearch(keyword: string, account: string, put: Put): Search {
  return byCustomer(account, put(containing(keyword)))
}

/** By anything but the customer. */
export function ownSearches(keyword: string, account: string, put: Put): readonly Search[] {
  const words = byItself(account, wordsTerm(keyword, put))
  return [words, ...exactSearches(keyword, account, put)]
}

/** By anything but the customer and the words of the transaction. */
export function exactSearches(keyword: string, account: string, put: Put): readonly Search[] {
  const word = put(keyword)
  return [
    byItself(account, `t.auth_id = ${word} AND t.type <> 'capture'`),
    byIdempotencyKey(account, word),
    ...orderNumberTerms('t', word).map((term) => byItself(account, term)),
    ...(LAST_FOUR.test(keyword) ? [byLastFour(account, word)] : []),
    ...(isId(keyword) ? byIds(account, word) : []),
  ]
}

/**
 * Transactions are looked up customer by customer. If most customers match, all transactions are
 * read in the order of the customers: that is the planner's choice, which knows how many match. If
 * further conditions leave few transactions, each looks up its customer; behind an OFFSET all
 * customers would be compared with the keyword for each of them.
 */
function byCustomer(account: string, pattern: string): Search {
  const matches = customerMatches(pattern)
  return {
    term: `EXISTS (${customerOf(pattern)} OFFSET 0)`,
    source: (terms) => `FROM (
        SELECT c.id FROM customer c WHERE c.account_id = ${account} AND ${matches}
      ) found JOIN transaction t ON t.account_id = ${account} AND t.customer_id = found.id
      WHERE ${[IS_DECIDED, ...terms].join(' AND ')}`,
  }
}

/** The customer of `t`, if it matches. */
function customerOf(pattern: string): string {
  return `SELECT FROM customer c
    WHERE c.account_id = t.account_id AND c.id = t.customer_id
      AND ${customerMatches(pattern)}`
}

/** The table of idempotency keys knows the resource of each key. */
function byIdempotencyKey(account: string, word: string): Search {
  const term = `t.idempotency_id = ${word}`
  return {
    term,
    source: (terms) => `FROM idempotency i JOIN transaction t
        ON t.account_id = ${account} AND t.id = i.resource_id::uuid
      WHERE i.account_id = ${account} AND i.key = ${word}
        AND ${[IS_DECIDED, term, ...terms].join(' AND ')}`,
  }
}

/** With the account's kinds, an index that begins with the kind works without a kind. */
function byLastFour(account: string, word: string): Search {
  const term = `t.last_four = ${word}`
  return {
    term,
    source: (terms) => `FROM (
        SELECT DISTINCT type, status, method, is_manual FROM transaction_tally
        WHERE account_id = ${account} AND span = 'month'
      ) kind CROSS JOIN LATERAL (
        SELECT * FROM transaction t
        WHERE t.account_id = ${account} AND t.type = kind.type AND t.status = kind.status
          AND t.method = kind.method AND t.is_manual = kind.is_manual
          AND ${[IS_DECIDED, term, ...terms].join(' AND ')} OFFSET 0
      ) t`,
  }
}

/** A capture shows the id of its authorization as auth_id. */
function byIds(account: string, word: string): readonly Search[] {
  return [
    byItself(account, `t.id = ${word}::uuid`),
    byItself(account, `t.reference_id = ${word}::uuid AND t.type = 'capture'`),
  ]
}

function byItself(account: string, term: string): Search {
  return {
    term: `(${term})`,
    source: (terms) =>
      `FROM transaction t
       WHERE ${[`t.account_id = ${account}`, IS_DECIDED, term, ...terms].join(' AND ')}`,
  }
}
