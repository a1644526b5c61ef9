// What the void of its payment makes of an invoice: it is to be paid again.

import { reopened } from '../core/invoice.ts'
import type { Query } from '../db/database.ts'
import { changeOf, insertEvent } from '../events/insert-event.ts'
import type { World } from '../world.ts'
import { INVOICE_COLUMNS, readInvoice, updateInvoice } from './invoice-row.ts'
import { invoiceView } from './invoice-view.ts'

export interface VoidedPayment {
  readonly accountId: string
  readonly invoiceId: string
  readonly paymentId: string
  readonly requestId: string
  readonly at: Date
}

/** Only by the payment that has paid it. */
const HOLD = `
  SELECT ${INVOICE_COLUMNS} FROM invoice v
  WHERE v.account_id = $1 AND v.id = $2 AND v.payment_id = $3 AND v.status = 'PAID'
  FOR NO KEY UPDATE`

/** A part of the commit that voids the payment. */
export async function reopenInvoice(
  world: World,
  query: Query,
  { accountId, invoiceId, paymentId, requestId, at }: VoidedPayment,
): Promise<void> {
  const [row] = await query(HOLD, [accountId, invoiceId, paymentId])
  if (row === undefined) return
  const invoice = readInvoice(row)
  const version = invoice.version + 1
  const next = { ...invoice, ...reopened(invoice), paymentId: null, version, updatedAt: at }
  await updateInvoice(query, next)
  const view = invoiceView(world, next)
  await insertEvent(world, query, changeOf('update_invoice', next, view, { requestId }))
}
