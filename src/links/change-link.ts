// Changes and deletes a payment link. A field sent with its current value changes nothing, and no
// event is written.

import type { RequestContext } from '../accounts/acting-account.ts'
import { orNotFound } from '../core/or-not-found.ts'
import { refuseChanged } from '../core/refuse-changed.ts'
import type { InCommit } from '../db/queries.ts'
import type { PaymentLink } from '../generated/client.ts'
import { changedRow } from '../resource/row-versions.ts'
import type { World } from '../world.ts'
import { type LinkChange, links } from './link.ts'

/**
 * Payments change the link's sums at the same moment. Its row is locked until row and event are
 * committed, so that the event shows what is stored. `seenVersion`: the link as it was shown. If it
 * has changed since, nothing is done.
 */
export function changeLink(
  world: World,
  context: RequestContext,
  id: string,
  change: LinkChange,
  seenVersion?: number,
  record?: InCommit<[changed: PaymentLink]>,
): Promise<PaymentLink> {
  const { accountId } = context
  return world.db.commit(`payment link ${accountId} ${id}`, async (query) => {
    const row = orNotFound(await links.hold(query, { accountId, id }))
    refuseChanged('payment link', row, seenVersion)
    const next = changedRow(row, change, world.accountNow(context))
    if (next === undefined) return row
    await links.update(world, query, context, next)
    await record?.(query, next)
    return next
  })
}

/**
 * Deletes a payment link for good: it can no longer be found from outside. The row stays for the
 * transactions that are tied to it.
 */
export function deleteLink(
  world: World,
  context: RequestContext,
  id: string,
  record?: InCommit,
): Promise<void> {
  const { accountId } = context
  return world.db.commit(`payment link ${accountId} ${id}`, async (query) => {
    const row = orNotFound(await links.hold(query, { accountId, id }))
    const now = world.accountNow(context)
    const last = { ...row, version: row.version + 1, updatedAt: now, deletedAt: now }
    await links.delete(world, query, context, last)
    await record?.(query)
  })
}
