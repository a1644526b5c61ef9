// The payment links of all accounts, for operators. Ids of links are random, so the newest ones are
// found by the time at which they were made.

import type { Mode } from '../accounts/key.ts'
import { newestOfRuns } from '../db/newest-anywhere.ts'
import { allOf, type Statement, statementOf } from '../db/terms.ts'
import type { PaymentLink } from '../generated/client.ts'
import type { World } from '../world.ts'
import { LINK_COLUMNS, readLink } from './link.ts'

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
  /** Only links that are older than this one. */
  readonly before: Pick<PaymentLink, 'createdAt' | 'id'> | undefined
  readonly most: number
}

const STATE_TERMS: Readonly<Record<LinkState, string>> = {
  active: 'l.deleted_at IS NULL AND l.active',
  inactive: 'l.deleted_at IS NULL AND NOT l.active',
  deleted: 'l.deleted_at IS NOT NULL',
}

const ORDER = ['created_at', 'id']

export function linksAnywhere({ accountIds, state, name, before, most }: LinkFilter): Statement {
  return statementOf((put) => {
    const ofSome = accountIds === undefined ? [] : [`a.id = ANY(${put(accountIds)}::uuid[])`]
    const older =
      before === undefined
        ? []
        : [`(l.created_at, l.id) < (${put(before.createdAt)}::timestamptz, ${put(before.id)})`]
    const newest = newestOfRuns({
      table: 'payment_link',
      alias: 'l',
      runs: `SELECT a.id AS account_id FROM account a WHERE ${allOf(ofSome)}`,
      terms: [
        state === undefined ? 'l.deleted_at IS NULL' : STATE_TERMS[state],
        ...(name === undefined ? [] : [`lower(l.common_name) = lower(${put(name)}::text)`]),
        ...older,
      ],
      most: put(most),
      order: ORDER,
    })
    return `
      SELECT ${LINK_COLUMNS}, a.mode, t.name AS team_name
      FROM (${newest}) newest
      CROSS JOIN LATERAL (
        SELECT * FROM payment_link
        WHERE account_id = newest.account_id AND id = newest.id OFFSET 0
      ) l
      JOIN account a ON a.id = newest.account_id
      JOIN team t ON t.id = a.team_id
      ORDER BY newest.created_at DESC, newest.id DESC`
  })
}

/** The newest first. */
export async function listLinksAnywhere(
  world: World,
  filter: LinkFilter,
): Promise<readonly FoundLink[]> {
  const { text, values } = linksAnywhere(filter)
  const rows = await world.db.query(text, values)
  return rows.map((row) => ({ ...readLink(row), teamName: row.team_name, mode: row.mode }))
}

/** Also finds deleted links, whose payments stay. */
export async function linkOfAccount(
  world: World,
  accountId: string,
  id: string,
): Promise<PaymentLink | undefined> {
  const where = { accountId_id: { accountId, id } }
  return (await world.db.prisma.paymentLink.findUnique({ where })) ?? undefined
}
