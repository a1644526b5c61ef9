// Finds a link for its merchant, for a charge through it, and for a payer, who names it without an
// account.

import { Refusal, unknownId, wrongField } from '../core/errors.ts'
import { type Cents, toDecimal } from '../core/money.ts'
import { orNotFound, undeleted } from '../core/or-not-found.ts'
import type { RowKey } from '../db/columns.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { PaymentLink } from '../generated/client.ts'
import type { World } from '../world.ts'
import { isEditableTotal, linkColumns } from './link.ts'

export interface LinkForCharge {
  readonly id: string
  /** Null if the payer enters the amount. */
  readonly amount: Cents | null
  readonly isTotalEditable: boolean
  readonly active: boolean
  readonly isDeleted: boolean
}

/** Also finds deleted links, because a charge through one gets its own error. */
export const findLinkForCharge = gatheredStatement({
  name: 'find-link-for-charge',
  columns: { accountId: 'uuid', id: 'text' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, l.id, l.amount, l.active, l.deleted_at IS NOT NULL AS is_deleted,
      l.link_meta->'isTotalEditable' AS is_total_editable
    FROM input i
    JOIN payment_link l ON l.account_id = i.account_id AND l.id = i.id::char(32)`,
  read: (row): LinkForCharge => ({
    id: row.id,
    amount: row.amount === null ? null : BigInt(row.amount),
    isTotalEditable: isEditableTotal(row.is_total_editable),
    active: row.active,
    isDeleted: row.is_deleted,
  }),
})

/** `linkId` is 32 lower-case hexadecimal characters. */
export function linkForCharge(
  world: World,
  accountId: string,
  linkId: string,
): Promise<LinkForCharge | undefined> {
  return world.db.ask(findLinkForCharge, { accountId, id: linkId })
}

/** Why a payment of this amount may not go through the link. */
export function refusalOfPayment(
  link: LinkForCharge | undefined,
  total: Cents,
): Refusal | undefined {
  if (link === undefined) return unknownId('payment_link_id')
  if (link.isDeleted) return new Refusal('payment_link_deleted')
  if (!link.active) return new Refusal('payment_link_inactive')
  return refusalOfAmount(link, total)
}

/** Why this amount may not be paid through an active link. */
export function refusalOfAmount(
  link: Pick<LinkForCharge, 'amount' | 'isTotalEditable'>,
  total: Cents,
): Refusal | undefined {
  if (link.amount === null || link.isTotalEditable || link.amount === total) return undefined
  return wrongField('total', `must be ${toDecimal(link.amount)}, the amount of the payment link`)
}

/** The account of a link, for payers, who do not name it. */
export const findLinkOfPayer = gatheredStatement({
  name: 'find-link-of-payer',
  columns: { id: 'text' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, l.account_id, l.deleted_at IS NOT NULL AS is_deleted
    FROM input i
    JOIN payment_link_name n ON n.id = i.id::char(32)
    JOIN payment_link l ON l.account_id = n.account_id AND l.id = n.id`,
  read: (row): { readonly accountId: string; readonly isDeleted: boolean } => ({
    accountId: row.account_id,
    isDeleted: row.is_deleted,
  }),
})

/** A deleted link is not found. */
export async function findLink(world: World, key: RowKey): Promise<PaymentLink> {
  return orNotFound(undeleted(await linkColumns.find(world.db.query, key)))
}
