// Records when an invoice's page is opened for the first time.

import { viewed } from '../core/invoice.ts'
import type { RowKey } from '../db/columns.ts'
import type { World } from '../world.ts'
import { holdInvoice, turnOfInvoice } from './invoice.ts'
import { writeInvoice } from './write-invoices.ts'

interface Look {
  readonly clockAt: Date | null
  readonly requestId: string
}

/** Returns true if this was the first time. If two come at once, one is. */
export function markViewed(
  world: World,
  key: RowKey,
  { clockAt, requestId }: Look,
): Promise<boolean> {
  return world.db.commit(turnOfInvoice(key), async (query) => {
    const held = await holdInvoice(query, key)
    const at = world.accountNow({ clockAt })
    const change = viewed(held, at)
    if (change === undefined) return false
    await writeInvoice(world, query, { held, change, requestId, at })
    return true
  })
}
