// Records the outcome of a charge or a pre_auth, which has no parent. In that very moment its batch
// may be closed, its invoice changed, a sandbox clock moved on: then nothing was recorded, and it
// is recorded as things are by then.

import { dueIn } from '../accounts/scope.ts'
import { attempted, paid } from '../core/invoice.ts'
import { deliveryRecords } from '../deliveries/write-deliveries.ts'
import type { InvoiceRow } from '../invoices/invoice-row.ts'
import { invoiceView } from '../invoices/invoice-view.ts'
import type { World } from '../world.ts'
import { booksOf } from './books.ts'
import { isSettled, lastDateOf, MOST_OPENINGS, openingOf } from './join-batch.ts'
import { ownMessages } from './own-messages.ts'
import { recordInvoicePayment } from './record-invoice-payment.ts'
import { NO_OPENING, type Outcome, type Recorded, recordOutcome } from './record-outcome.ts'
import { type Taken, takenByNow } from './take-payment.ts'
import { transactionView } from './transaction-view.ts'

/** False where nothing was recorded: a later take asked as well, and what it learned stands. */
export async function recordAlone(world: World, taken: Taken, outcome: Outcome): Promise<boolean> {
  let current: Taken | undefined = taken
  for (let tries = 0; tries < MOST_OPENINGS; tries += 1) {
    const lastDate = await lastDateOf(world.db.query, taken.accountId, tries)
    const recording = await record(world, current, outcome, lastDate)
    if (recording === undefined || recording === 'recorded') return recording !== undefined
    current = await world.db.ask(takenByNow, taken)
    if (current === undefined) return false
  }
  throw new Error(`the outcome of ${taken.id} could not be recorded`)
}

function record(world: World, taken: Taken, outcome: Outcome, lastDate: string | undefined) {
  const recorded = recordedOf(world, taken, outcome, lastDate)
  if (taken.invoice === undefined) return world.db.ask(recordOutcome, recorded)
  const billed = billedOf(world, taken, taken.invoice, outcome, recorded.at)
  return world.db.ask(recordInvoicePayment, { ...recorded, ...billed })
}

function recordedOf(
  world: World,
  taken: Taken,
  outcome: Outcome,
  lastDate: string | undefined,
): Recorded {
  const books = booksOf(world, taken.account)
  const isToSettle = outcome.status === 'SUCCESS' && isSettled(taken)
  const { deliveries, ...receipts } = ownMessages(taken, outcome, books.now)
  const row = { ...taken, ...outcome, ...receipts, updatedAt: books.now }
  return {
    ...outcome,
    accountId: taken.accountId,
    id: taken.id,
    attempt: taken.attempt,
    at: books.now,
    eventId: world.newId(),
    snapshot: JSON.stringify(transactionView(row, books)),
    ...receipts,
    messages: deliveries.length === 0 ? null : JSON.stringify(deliveryRecords(world, deliveries)),
    owedAt: world.clock.now(),
    ...(isToSettle ? openingOf(world, taken.account, books.now, lastDate) : NO_OPENING),
  }
}

/** Only what the service began is tried again by itself, and not once its schedule is gone. */
function billedOf(world: World, taken: Taken, invoice: InvoiceRow, outcome: Outcome, at: Date) {
  const { account, isScheduleDeleted } = taken
  const isTriedAgain = invoice.paymentMethodId !== null && !isScheduleDeleted
  const retryDays = isTriedAgain ? account.retryDays : []
  const isPaid = outcome.status === 'SUCCESS'
  const settled = isPaid ? paid(invoice, at) : attempted(invoice, at, retryDays)
  const paymentId = isPaid ? taken.id : null
  const next = { ...invoice, ...settled, paymentId, updatedAt: at }
  return {
    invoiceId: invoice.id,
    invoiceVersion: invoice.version,
    invoiceStatus: settled.status,
    totalPaid: settled.totalPaid,
    paidAt: settled.paidAt,
    paymentId,
    retryAt: settled.retryAt,
    retryDueAt: settled.retryAt && dueIn(account, settled.retryAt),
    invoiceEventId: world.newId(),
    invoiceSnapshot: JSON.stringify(invoiceView(world, next)),
  }
}
