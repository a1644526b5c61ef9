// Changes a link that others may change at the same moment, payments among them. It holds the row
// until row and event are committed, so that the event tells of what really is.

import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import type { Query } from '../db/database.ts'
import type { EventType } from '../events/event-names.ts'
import { insertEvent } from '../events/insert-event.ts'
import type { PaymentLink } from '../generated/client.ts'
import type { World } from '../world.ts'
import { LINK_COLUMNS, readLink } from './link-row.ts'
import { linkView } from './link-view.ts'

/** What is to be of the fields that change; without one, nothing is written. */
export type LinkChange = Partial<
  Pick<PaymentLink, 'commonName' | 'amount' | 'active' | 'linkMeta' | 'meta' | 'deletedAt'>
>

const HOLD = `
  SELECT ${LINK_COLUMNS} FROM payment_link l
  WHERE l.account_id = $1 AND l.id = $2 AND l.deleted_at IS NULL
  FOR NO KEY UPDATE`

const UPDATE = `
  UPDATE payment_link SET common_name = $3, amount = $4, active = $5, link_meta = $6, meta = $7,
    deleted_at = $8, updated_at = $9, version = $10
  WHERE account_id = $1 AND id = $2`

/** Answers the link as it is then. */
export function writeLink(
  world: World,
  asking: Asking,
  id: string,
  type: EventType,
  changeOf: (link: PaymentLink, now: Date) => LinkChange,
): Promise<PaymentLink> {
  const { accountId } = asking
  return world.db.commit(`payment link ${accountId} ${id}`, async (query) => {
    const [row] = await query(HOLD, [accountId, id])
    if (row === undefined) throw new Refusal('not_found')
    const link = readLink(row)
    const now = world.accountNow(asking)
    const change = changeOf(link, now)
    if (Object.keys(change).length === 0) return link
    const changed = { ...link, ...change, version: link.version + 1, updatedAt: now }
    await update(query, changed)
    await tell(world, query, asking, changed, type)
    return changed
  })
}

async function update(query: Query, link: PaymentLink): Promise<void> {
  await query(UPDATE, [
    link.accountId,
    link.id,
    link.commonName,
    link.amount,
    link.active,
    JSON.stringify(link.linkMeta),
    JSON.stringify(link.meta),
    link.deletedAt,
    link.updatedAt,
    link.version,
  ])
}

function tell(
  world: World,
  query: Query,
  asking: Asking,
  link: PaymentLink,
  type: EventType,
): Promise<void> {
  return insertEvent(world, query, {
    accountId: link.accountId,
    type,
    resourceId: link.id,
    sequence: link.version,
    view: linkView(world, link),
    requestId: asking.requestId,
    at: link.updatedAt,
  })
}
