// What a payment's outcome makes of its invoice: a payment pays it, or was a try; the void of the
// one that paid it lets it be paid again.

import { dueIn } from '../accounts/scope.ts'
import { attempted, paid, reopened, type Settled } from '../core/invoice.ts'
import { instantText } from '../db/instant-text.ts'
import type { InvoiceRow } from '../invoices/invoice-row.ts'
import { invoiceView } from '../invoices/invoice-view.ts'
import type { World } from '../world.ts'
import type { AccountContext } from './account-context.ts'
import type { InvoiceAfter, TransactionOutcome } from './record-outcome.ts'
import type { Taken } from './take-payment.ts'

/** Undefined where it changes none. */
export function invoiceAfter(
  world: World,
  taken: Taken,
  { status }: TransactionOutcome,
  { now: at }: AccountContext,
): InvoiceAfter | undefined {
  const { invoice } = taken
  if (invoice === undefined) return undefined
  const isDone = status === 'SUCCESS'
  const settled =
    taken.type === 'charge' ? paidBy(taken, invoice, isDone, at) : voidedBy(taken, invoice, isDone)
  if (settled === undefined) return undefined
  const paymentId = settled.status === 'PAID' ? taken.id : null
  const next = { ...invoice, ...settled, paymentId, updatedAt: at }
  const dueAt = settled.retryAt && dueIn(taken.account, settled.retryAt)
  return {
    invoice_id: invoice.id,
    invoice_version: invoice.version,
    status: settled.status,
    total_paid: String(settled.totalPaid),
    paid_at: settled.paidAt && instantText(settled.paidAt),
    payment_id: paymentId,
    retry_at: settled.retryAt && instantText(settled.retryAt),
    due_at: dueAt && instantText(dueAt),
    event_id: world.newId(),
    snapshot: JSON.stringify(invoiceView(world, next)),
  }
}

/** Only what the service began is tried again by itself, and not once its schedule is gone. */
function paidBy(
  { account, isScheduleDeleted }: Taken,
  invoice: InvoiceRow,
  isDone: boolean,
  at: Date,
): Settled {
  if (isDone) return paid(invoice, at)
  const isTriedAgain = invoice.paymentMethodId !== null && !isScheduleDeleted
  return attempted(invoice, at, isTriedAgain ? account.retryDays : [])
}

function voidedBy(
  { type, referenceId }: Taken,
  invoice: InvoiceRow,
  isDone: boolean,
): Settled | undefined {
  const isItsPayment = invoice.status === 'PAID' && invoice.paymentId === referenceId
  return type === 'void' && isDone && isItsPayment ? reopened(invoice) : undefined
}
