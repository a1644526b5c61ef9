// The payment links of all accounts, for operators. Ids of links are random, so the newest ones are
// found by the time at which they were made.

import type { Mode } from '../accounts/key.ts'
import type { RowKey } from '../db/columns.ts'
import { type Direction, newestOfRuns } from '../db/newest-anywhere.ts'
import { allOf, type Put, type Statement, statementOf } from '../db/terms.ts'
import type { PaymentLink } from '../generated/client.ts'
import type { World } from '../world.ts'
import { linkColumns } from './link.ts'

export const LINK_STATES = ['active', 'inactive', 'deleted'] as const

export type LinkState = (typeof LINK_STATES)[number]

export interface FoundLink extends PaymentLink {
  readonly teamName: string
  readonly mode: Mode
}

export interface LinkFilter {
  /** Undefined for all accounts. */
  readonly accountIds: readonly string[] | undefined
  /** Undefined for all that are not deleted. */
  readonly state: LinkState | undefined
  /** The whole name, in any case. */
  readonly name: string | undefined
  /** Only links that come after this one, in the order that is asked for. */
  readonly before: Pick<PaymentLink, 'createdAt' | 'id'> | undefined
  readonly most: number
  /** The newest first, by default. */
  readonly direction?: Direction | undefined
}

const STATE_TERMS: Readonly<Record<LinkState, string>> = {
  active: 'l.deleted_at IS NULL AND l.active',
  inactive: 'l.deleted_at IS NULL AND NOT l.active',
  deleted: 'l.deleted_at IS NOT NULL',
}

const ORDER = ['created_at', 'id']

export function linksAnywhere(filter: LinkFilter): Statement {
  const { direction = 'desc' } = filter
  return statementOf((put) => {
    const newest = filter.name === undefined ? newestLinks(filter, put) : namedLinks(filter, put)
    return `
      SELECT ${linkColumns.list}, a.mode, t.name AS team_name
      FROM (${newest}) newest
      CROSS JOIN LATERAL (
        SELECT * FROM payment_link
        WHERE account_id = newest.account_id AND id = newest.id OFFSET 0
      ) l
      JOIN account a ON a.id = newest.account_id
      JOIN team t ON t.id = a.team_id
      ORDER BY newest.created_at ${direction}, newest.id ${direction}`
  })
}

function newestLinks(filter: LinkFilter, put: Put): string {
  return newestOfRuns({
    table: 'payment_link',
    alias: 'l',
    runs: `SELECT a.id AS account_id FROM account a WHERE ${accountTerm(filter, put)}`,
    terms: [stateTerm(filter), ...olderTerms(filter, put)],
    most: put(filter.most),
    order: ORDER,
    direction: filter.direction,
  })
}

/** A name has few links. OFFSET 0 finds them by it, and not by looking through the newest ones. */
function namedLinks(filter: LinkFilter, put: Put): string {
  const { direction = 'desc' } = filter
  const named = `lower(l.common_name) = lower(${put(filter.name)}::text)`
  return `
    SELECT a.id AS account_id, l.id, l.created_at
    FROM account a
    CROSS JOIN LATERAL (
      SELECT l.id, l.created_at FROM payment_link l
      WHERE l.account_id = a.id AND ${stateTerm(filter)} AND ${named} OFFSET 0
    ) l
    WHERE ${allOf([accountTerm(filter, put), ...olderTerms(filter, put)])}
    ORDER BY l.created_at ${direction}, l.id ${direction} LIMIT ${put(filter.most)}`
}

function accountTerm({ accountIds }: LinkFilter, put: Put): string {
  return accountIds === undefined ? 'true' : `a.id = ANY(${put(accountIds)}::uuid[])`
}

function stateTerm({ state }: LinkFilter): string {
  return state === undefined ? 'l.deleted_at IS NULL' : STATE_TERMS[state]
}

function olderTerms({ before, direction = 'desc' }: LinkFilter, put: Put): readonly string[] {
  if (before === undefined) return []
  const isAfter = { desc: '<', asc: '>' }[direction]
  return [
    `(l.created_at, l.id) ${isAfter} (${put(before.createdAt)}::timestamptz, ${put(before.id)})`,
  ]
}

/** The newest first, unless the filter says otherwise. */
export async function listLinksAnywhere(
  world: World,
  filter: LinkFilter,
): Promise<readonly FoundLink[]> {
  const { text, values } = linksAnywhere(filter)
  const rows = await world.db.query(text, values)
  return rows.map((row) => ({ ...linkColumns.read(row), teamName: row.team_name, mode: row.mode }))
}

/** Also finds deleted links, whose payments stay. */
export function linkOfAccount(world: World, key: RowKey): Promise<PaymentLink | undefined> {
  return linkColumns.find(world.db.query, key)
}
