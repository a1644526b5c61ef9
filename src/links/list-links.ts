// A page of an account's payment links. Its conditions and orders are those of the indexes
// payment_link_by_…: an expression here is one there.

import type { Cents } from '../core/money.ts'
import { askPage, type Page, type Paged } from '../db/page.ts'
import type { World } from '../world.ts'
import { LINK_COLUMNS, readLink } from './link-row.ts'
import { linkView } from './link-view.ts'

/** One text, which an index can hold; a line break keeps the two apart. */
const SEARCHED = "l.common_name || E'\\n' || coalesce(l.link_meta->>'memo', '')"

export const LINK_SORTS = {
  common_name: 'l.common_name',
  amount: 'l.amount',
  created_at: 'l.created_at',
  total_sales: 'l.total_sales',
  total_transactions: 'l.total_transactions',
} as const

export type LinkSort = keyof typeof LINK_SORTS

/** Undefined is any; an amount of null is that which the payer types. */
export interface LinkQuery {
  readonly page: Page<LinkSort>
  readonly active: boolean | undefined
  readonly amount: Cents | null | undefined
  /** Exact, but for case. */
  readonly commonName: string | undefined
  /** Each must be found in the name or in the memo. */
  readonly keywords: readonly string[]
}

export function listLinks(
  world: World,
  accountId: string,
  query: LinkQuery,
): Promise<Paged<ReturnType<typeof linkView>>> {
  const statements = listStatements(accountId, query)
  return askPage(world.db.query, statements, (row) => linkView(world, readLink(row)))
}

export function listStatements(accountId: string, query: LinkQuery) {
  const values: unknown[] = [accountId]
  const value = (one: unknown) => `$${values.push(one)}`
  const conditions = ['l.account_id = $1', 'l.deleted_at IS NULL', ...termsOf(query, value)]
  const from = `FROM payment_link l WHERE ${conditions.join(' AND ')}`
  const { sort, order, skip, take } = query.page
  return {
    values,
    count: `SELECT count(*) AS total ${from}`,
    // Numbers of ours, so that both statements take the same values.
    page: `SELECT ${LINK_COLUMNS} ${from} ORDER BY ${orderOf(sort, order)} LIMIT ${take} OFFSET ${skip}`,
  }
}

function termsOf(query: LinkQuery, value: (one: unknown) => string): readonly string[] {
  const { active, amount, commonName, keywords } = query
  return [
    ...(active === undefined ? [] : [active ? 'l.active' : 'NOT l.active']),
    ...(amount === undefined ? [] : [amountTerm(amount, value)]),
    ...(commonName === undefined
      ? []
      : [`lower(l.common_name) = lower(${value(commonName)}::text)`]),
    ...keywords.map((keyword) => `(${SEARCHED}) ILIKE ${value(`%${literal(keyword)}%`)}`),
  ]
}

function amountTerm(amount: Cents | null, value: (one: unknown) => string): string {
  return amount === null ? 'l.amount IS NULL' : `l.amount = ${value(amount)}`
}

/** Nulls last, either way: only the amount has any, and an index for each. */
function orderOf(sort: LinkSort, order: 'asc' | 'desc'): string {
  const nulls = sort === 'amount' ? ' NULLS LAST' : ''
  return `${LINK_SORTS[sort]} ${order}${nulls}, l.id ${order}`
}

/** Of a keyword's own characters none is a wildcard. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
