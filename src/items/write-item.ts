// Creates, changes and deletes items of the catalogue. They have no events.

import type { RequestContext } from '../accounts/acting-account.ts'
import { orNotFound, undeleted } from '../core/or-not-found.ts'
import type { RowKey } from '../db/columns.ts'
import type { Item } from '../generated/client.ts'
import { type Done, once } from '../idempotency/once.ts'
import { changedRow, firstVersion } from '../resource/row-versions.ts'
import type { World } from '../world.ts'
import { ITEM, itemColumns, itemView, type NewItem } from './item.ts'

export function createItem(world: World, context: RequestContext, input: NewItem): Promise<Done> {
  const now = world.accountNow(context)
  const row: Item = {
    ...ITEM.newColumns(input),
    accountId: context.accountId,
    id: world.newId(),
    ...firstVersion(now),
  }
  const claim = { operation: 'create_item', request: ITEM.canonical(row), resourceId: row.id }
  return once(world, context, claim, async (query) => {
    await itemColumns.insert(query, row)
    return itemView(row)
  })
}

export async function findItem(world: World, key: RowKey): Promise<Item> {
  return orNotFound(undeleted(await itemColumns.find(world.db.query, key)))
}

/** Returns the item as it is after the change. */
export function changeItem(
  world: World,
  context: RequestContext,
  id: string,
  change: Partial<NewItem>,
): Promise<Item> {
  return write(world, context, id, (row, now) => changedRow(row, change, now))
}

/** The row stays, since line items name it. Returns it as it was last. */
export function deleteItem(world: World, context: RequestContext, id: string): Promise<Item> {
  return write(world, context, id, (row, now) => ({
    ...row,
    version: row.version + 1,
    deletedAt: now,
  }))
}

function write(
  world: World,
  context: RequestContext,
  id: string,
  next: (row: Item, now: Date) => Item | undefined,
): Promise<Item> {
  const { accountId } = context
  return world.db.commit(`item ${accountId} ${id}`, async (query) => {
    const held = await itemColumns.hold(query, { accountId, id }, 'FOR NO KEY UPDATE')
    const row = orNotFound(undeleted(held))
    const changed = next(row, world.accountNow(context))
    if (changed === undefined) return row
    await itemColumns.update(query, changed)
    return changed
  })
}
