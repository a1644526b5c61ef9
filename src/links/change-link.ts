// Changes and deletes a payment link. A field sent with its current value changes nothing, and no
// event is written.

import { isDeepStrictEqual } from 'node:util'
import type { RequestContext } from '../accounts/acting-account.ts'
import { Refusal } from '../core/errors.ts'
import type { PaymentLink, Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { NewLink } from './create-link.ts'
import { links } from './link.ts'

export function changeLink(
  world: World,
  context: RequestContext,
  id: string,
  sent: Partial<NewLink>,
): Promise<PaymentLink> {
  const wanted = asStored(sent)
  return writeLink(world, context, id, 'update', (link) => {
    const entries = Object.entries(wanted) as [keyof LinkChange, unknown][]
    return Object.fromEntries(
      entries.filter(([name, value]) => !isDeepStrictEqual(link[name], value)),
    )
  })
}

/** JSON as the database will return it: JSON has no -0. */
function asStored({ linkMeta, meta, ...rest }: Partial<NewLink>): LinkChange {
  return {
    ...rest,
    ...(linkMeta === undefined ? {} : { linkMeta: stored(linkMeta) }),
    ...(meta === undefined ? {} : { meta: stored(meta) }),
  }
}

function stored(json: object): Prisma.JsonObject {
  return JSON.parse(JSON.stringify(json))
}

/** The new values. If it is undefined, nothing is written. */
type LinkChange = Partial<
  Pick<PaymentLink, 'commonName' | 'amount' | 'active' | 'linkMeta' | 'meta' | 'deletedAt'>
>

/**
 * Changes a link that others may change at the same moment, payments among them. It holds the row
 * until row and event are committed, so that the event tells of what really is.
 *
 * Answers the link as it is then.
 */
function writeLink(
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

/**
 * Deletes a payment link for good: it can no longer be found from outside. The row stays for the
 * transactions that are tied to it.
 */
export async function deleteLink(world: World, context: RequestContext, id: string): Promise<void> {
  await writeLink(world, context, id, 'delete', (_link, now) => ({ deletedAt: now }))
}
