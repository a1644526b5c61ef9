// Changes a link that others may change at the same moment, payments among them. It holds the row
// until row and event are committed, so that the event tells of what really is.

import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import type { EventType } from '../events/event-names.ts'
import { changeOf, insertEvent } from '../events/insert-event.ts'
import type { PaymentLink } from '../generated/client.ts'
import type { World } from '../world.ts'
import { LINK_COLUMNS, readLink, updateLink } from './link-row.ts'
import { linkView } from './link-view.ts'

/** What is to be of the fields that change; without one, nothing is written. */
export type LinkChange = Partial<
  Pick<PaymentLink, 'commonName' | 'amount' | 'active' | 'linkMeta' | 'meta' | 'deletedAt'>
>

const HOLD = `
  SELECT ${LINK_COLUMNS} FROM payment_link l
  WHERE l.account_id = $1 AND l.id = $2 AND l.deleted_at IS NULL
  FOR NO KEY UPDATE`

/** Answers the link as it is then. */
export function writeLink(
  world: World,
  asking: Asking,
  id: string,
  type: EventType,
  decide: (link: PaymentLink, now: Date) => LinkChange,
): Promise<PaymentLink> {
  const { accountId } = asking
  return world.db.commit(`payment link ${accountId} ${id}`, async (query) => {
    const [row] = await query(HOLD, [accountId, id])
    if (row === undefined) throw new Refusal('not_found')
    const link = readLink(row)
    const now = world.accountNow(asking)
    const change = decide(link, now)
    if (Object.keys(change).length === 0) return link
    const changed = { ...link, ...change, version: link.version + 1, updatedAt: now }
    await updateLink(query, changed)
    const view = linkView(world, changed)
    await insertEvent(world, query, changeOf(type, changed, view, asking))
    return changed
  })
}
