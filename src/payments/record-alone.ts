// Records the outcome of a charge or a pre_auth, which has no parent. In that very moment its batch
// may be closed, its invoice changed, a sandbox clock moved on: then nothing was recorded, and it
// is recorded as things are by then.

import { dueIn } from '../accounts/scope.ts'
import { attempted, paid } from '../core/invoice.ts'
import { instantText } from '../db/instant-text.ts'
import { deliveryRecords } from '../deliveries/write-deliveries.ts'
import type { InvoiceRow } from '../invoices/invoice-row.ts'
import { invoiceView } from '../invoices/invoice-view.ts'
import type { World } from '../world.ts'
import { type Books, booksOf } from './books.ts'
import { isSettled, lastDateOf, MOST_OPENINGS, openingOf } from './join-batch.ts'
import { ownMessages } from './own-messages.ts'
import {
  type Bill,
  NO_OPENING,
  type Outcome,
  type Recorded,
  recordOutcome,
} from './record-outcome.ts'
import { type Taken, takenByNow } from './take-payment.ts'
import { transactionView } from './transaction-view.ts'

/** False where nothing was recorded: a later take asked as well, and what it learned stands. */
export async function recordAlone(world: World, taken: Taken, outcome: Outcome): Promise<boolean> {
  let current: Taken | undefined = taken
  for (let tries = 0; tries < MOST_OPENINGS; tries += 1) {
    const lastDate = await lastDateOf(world.db.query, taken.accountId, tries)
    const recorded = recordedOf(world, current, outcome, lastDate)
    const recording = await world.db.ask(recordOutcome, recorded)
    if (recording === undefined || recording === 'recorded') return recording !== undefined
    current = await world.db.ask(takenByNow, taken)
    if (current === undefined) return false
  }
  throw new Error(`the outcome of ${taken.id} could not be recorded`)
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
    clockAt: taken.account.clockAt,
    at: books.now,
    eventId: world.newId(),
    snapshot: JSON.stringify(transactionView(row, books)),
    ...receipts,
    messages: deliveries.length === 0 ? null : JSON.stringify(deliveryRecords(world, deliveries)),
    owedAt: world.clock.now(),
    ...(isToSettle ? openingOf(world, taken.account, books.now, lastDate) : NO_OPENING),
    bill: taken.invoice === undefined ? null : billOf(world, taken, taken.invoice, outcome, books),
  }
}

/** Only what the service began is tried again by itself, and not once its schedule is gone. */
function billOf(
  world: World,
  taken: Taken,
  invoice: InvoiceRow,
  outcome: Outcome,
  { now: at }: Books,
): string {
  const { account, isScheduleDeleted } = taken
  const isTriedAgain = invoice.paymentMethodId !== null && !isScheduleDeleted
  const retryDays = isTriedAgain ? account.retryDays : []
  const isPaid = outcome.status === 'SUCCESS'
  const settled = isPaid ? paid(invoice, at) : attempted(invoice, at, retryDays)
  const paymentId = isPaid ? taken.id : null
  const next = { ...invoice, ...settled, paymentId, updatedAt: at }
  const dueAt = settled.retryAt && dueIn(account, settled.retryAt)
  const bill: Bill = {
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
  return JSON.stringify(bill)
}
