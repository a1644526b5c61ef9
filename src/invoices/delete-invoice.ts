// Deletes an invoice that nobody has paid and nobody is paying. It is in no list from then on but
// that of the deleted ones, and what would have been tried again is not.

import type { RequestContext } from '../accounts/acting-account.ts'
import { Refusal } from '../core/errors.ts'
import { obstacleToDeletion } from '../core/invoice.ts'
import type { World } from '../world.ts'
import { holdInvoice, type InvoiceRow, turnOfInvoice } from './invoice.ts'
import { writeInvoices } from './write-invoices.ts'

/** Answers the invoice, of one that is deleted already as well. */
export function deleteInvoice(
  world: World,
  context: RequestContext,
  id: string,
): Promise<InvoiceRow> {
  const { accountId, requestId } = context
  const key = { accountId, id }
  return world.db.commit(turnOfInvoice(key), async (query) => {
    const held = await holdInvoice(query, key)
    if (held === undefined) throw new Refusal('not_found')
    if (held.deletedAt !== null) return held
    const obstacle = obstacleToDeletion(held)
    if (obstacle !== undefined) throw new Refusal(obstacle)
    const at = world.accountNow(context)
    const change = { status: 'DELETED', deletedAt: at, retryAt: null, dueAt: null } as const
    const [deleted = held] = await writeInvoices(world, query, [{ held, change, requestId, at }])
    return deleted
  })
}
