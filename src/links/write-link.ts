// Changes a link that others may change at the same moment, payments among them. It holds the row
// until row and event are committed, so that the event tells of what really is.

import type { RequestContext } from '../accounts/request-context.ts'
import { Refusal } from '../core/errors.ts'
import type { PaymentLink } from '../generated/client.ts'
import type { World } from '../world.ts'
import { links } from './link-row.ts'

/** What is to be of the fields that change; without one, nothing is written. */
export type LinkChange = Partial<
  Pick<PaymentLink, 'commonName' | 'amount' | 'active' | 'linkMeta' | 'meta' | 'deletedAt'>
>

/** Answers the link as it is then. */
export function writeLink(
  world: World,
  context: RequestContext,
  id: string,
  kind: 'update' | 'delete',
  decide: (link: PaymentLink, now: Date) => LinkChange,
): Promise<PaymentLink> {
  const { accountId } = context
  return world.db.commit(`payment link ${accountId} ${id}`, async (query) => {
    const link = await links.hold(query, { accountId, id })
    if (link === undefined) throw new Refusal('not_found')
    const now = world.accountNow(context)
    const change = decide(link, now)
    if (Object.keys(change).length === 0) return link
    const changed = { ...link, ...change, version: link.version + 1, updatedAt: now }
    await links[kind](world, query, context, changed)
    return changed
  })
}
