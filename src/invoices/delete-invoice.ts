// Deletes an invoice without a successful payment and without one under way. After that it appears
// only in the list of deleted invoices, and its payments are not retried.

import type { RequestContext } from '../accounts/acting-account.ts'
import { Refusal } from '../core/errors.ts'
import { obstacleToDeletion } from '../core/invoice.ts'
import type { InCommit } from '../db/queries.ts'
import type { World } from '../world.ts'
import { holdInvoice, type InvoiceRow, turnOfInvoice } from './invoice.ts'
import { writeInvoice } from './write-invoices.ts'

/** Returns the invoice, also if it is already deleted. */
export function deleteInvoice(
  world: World,
  context: RequestContext,
  id: string,
  record?: InCommit,
): Promise<InvoiceRow> {
  const { accountId, requestId } = context
  const key = { accountId, id }
  return world.db.commit(turnOfInvoice(key), async (query) => {
    const held = await holdInvoice(query, key)
    if (held.deletedAt !== null) return held
    const obstacle = obstacleToDeletion(held)
    if (obstacle !== undefined) throw new Refusal(obstacle)
    const at = world.accountNow(context)
    const change = { status: 'DELETED', deletedAt: at, retryAt: null, dueAt: null } as const
    await record?.(query)
    return writeInvoice(world, query, { held, change, requestId, at })
  })
}
