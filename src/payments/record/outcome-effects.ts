// The effects of a payment's outcome besides the payment's own row: on its invoice and its parent,
// and the messages that the outcome sends.

import assert from 'node:assert'
import { realDueAt } from '../../accounts/scope.ts'
import { MESSAGE_CHANNELS, type MessageChannel } from '../../core/delivery.ts'
import { attempted, type InvoiceState, paid, reopened } from '../../core/invoice.ts'
import { dateText } from '../../core/whole-days.ts'
import { addressesOf } from '../../customers/addresses-of.ts'
import { instantText } from '../../db/gathered.ts'
import type { NewDeliveries } from '../../deliveries/write-deliveries.ts'
import type { Transaction } from '../../generated/client.ts'
import { type InvoiceRow, invoiceView } from '../../invoices/invoice.ts'
import type { World } from '../../world.ts'
import type { Taken } from '../take/take-payment.ts'
import type { AccountContext } from '../transaction/account-context.ts'
import { familyOf, findTransaction } from '../transaction/find-transaction.ts'
import type { TransactionRow } from '../transaction/transaction-row.ts'
import { transactionView } from '../transaction/transaction-view.ts'
import { joinsBatch } from './join-batch.ts'
import type { InvoiceAfter, ParentAfter, TransactionOutcome } from './record-outcome.ts'

/**
 * The new state of the payment's invoice: a success pays it, a failure counts as a try, and the
 * void of its payment lets it be paid again. Undefined if the payment changes no invoice.
 */
export async function invoiceAfter(
  world: World,
  taken: Taken,
  outcome: TransactionOutcome,
  { now: at }: AccountContext,
): Promise<InvoiceAfter | undefined> {
  const { invoice } = taken
  if (invoice === undefined) return undefined
  const settled =
    taken.type === 'charge'
      ? await paidBy(world, taken, invoice, outcome, at)
      : voidedBy(taken, invoice, outcome.status === 'SUCCESS')
  if (settled === undefined) return undefined
  const paymentId = settled.status === 'PAID' ? taken.id : null
  const next = { ...invoice, ...settled, paymentId, updatedAt: at }
  const dueAt = settled.retryAt && realDueAt(taken.account, settled.retryAt)
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

async function paidBy(
  world: World,
  taken: Taken,
  invoice: InvoiceRow,
  { retryAdvice, status }: TransactionOutcome,
  at: Date,
): Promise<InvoiceState> {
  if (status === 'SUCCESS') return paid(invoice, at)
  const triedAt = await lastTryOf(world, taken, invoice, retryAdvice, at)
  return attempted(invoice, at, taken.account.retryDays, triedAt)
}

/** The statement that reads a taken payment is hot, and few payments need this. */
export const LAST_TRY = `
  SELECT max(created_at) FILTER (WHERE invoice_try = $3) AS tried_at
  FROM transaction
  WHERE account_id = $1 AND invoice_id = $2 AND type = 'charge' AND status <> 'PENDING'
  HAVING NOT COALESCE(bool_or(status = 'SUCCESS'
    OR retry_advice = 'never' AND (invoice_try = $3 OR payment_method_id = $4)), FALSE)`

/**
 * When the last automatic payment was made, or failed if this is it; null if no retry follows.
 *
 * Only an automatic payment that failed is retried, and not after its schedule is deleted, nor
 * against the gateway's advice about the invoice's own payment method. A payer's payment that fails
 * changes nothing in that: its advice counts only if it was made with the same payment method. One
 * that succeeds ends the retries for good: if it is voided, a person decides how to go on.
 */
async function lastTryOf(
  world: World,
  { accountId, invoiceTry, isScheduleDeleted, paymentMethodId }: Taken,
  { id, paymentMethodId: ownMethodId, tries }: InvoiceRow,
  advice: TransactionOutcome['retryAdvice'],
  at: Date,
): Promise<Date | null> {
  if (ownMethodId === null || isScheduleDeleted) return null
  if (paymentMethodId === ownMethodId && advice === 'never') return null
  if (invoiceTry !== null) return at
  if (tries === 0) return null
  const [last] = await world.db.query(LAST_TRY, [accountId, id, tries, ownMethodId])
  return last?.tried_at ?? null
}

function voidedBy(
  { type, referenceId }: Taken,
  invoice: InvoiceRow,
  isDone: boolean,
): InvoiceState | undefined {
  const isItsPayment = invoice.status === 'PAID' && invoice.paymentId === referenceId
  return type === 'void' && isDone && isItsPayment ? reopened(invoice) : undefined
}

/**
 * The new state of the parent of a capture, a void or a refund. The events of both show the whole
 * family, so the parent changes with each new child.
 *
 * `child` is in its new state. The amount that was reserved for it is taken, or free again.
 */
export async function parentAfter(
  world: World,
  child: TransactionRow,
  accountContext: AccountContext,
): Promise<ParentAfter> {
  const { accountId, referenceId } = child
  assert(referenceId !== null, 'a capture, a void and a refund have a parent')
  const parent = await world.db.ask(findTransaction, { accountId, id: referenceId })
  assert(parent !== undefined, 'transactions are never deleted')
  const family = await familyOf(world.db.query, accountId, [parent])
  const next = parentWith(world, child, parent, accountContext.now)
  // The failed void had kept the parent out of its batch: now it stays in that batch, or joins the
  // current one.
  const isBack = child.type === 'void' && child.status === 'FAILED' && joinsBatch(parent)
  const keptBatch = isBack ? await openBatchOf(world, parent) : null
  const familyAfter = family.map((one) => (one.id === child.id ? child : one))
  return {
    parent_id: parent.id,
    parent_version: parent.version,
    parent_children: parent.children,
    reserved: String(next.reserved),
    refunded: String(next.refunded),
    captured: String(next.captured),
    hold_ended_at: next.holdEndedAt && instantText(next.holdEndedAt),
    is_voided: next.isVoided,
    void_id: next.voidId,
    kept_batch: keptBatch,
    takes_day: isBack && keptBatch === null,
    event_id: world.newId(),
    snapshot: JSON.stringify(transactionView(next, accountContext, familyAfter)),
  }
}

function parentWith(
  { gateways }: World,
  child: TransactionRow,
  parent: TransactionRow,
  now: Date,
): TransactionRow {
  const { type } = child
  const isDone = child.status === 'SUCCESS'
  const isVoid = type === 'void'
  const isLastCapture =
    isDone && type === 'capture' && gateways.named(child.gatewayName).capturesOnce
  return {
    ...parent,
    reserved: parent.reserved - (isVoid ? 0n : child.total),
    refunded: parent.refunded + (isDone && type === 'refund' ? child.total : 0n),
    captured: parent.captured + (isDone && type === 'capture' ? child.total : 0n),
    holdEndedAt: parent.holdEndedAt ?? (isLastCapture ? now : null),
    isVoided: parent.isVoided || (isVoid && isDone),
    voidId: isVoid && !isDone ? null : parent.voidId,
    updatedAt: now,
  }
}

const OPEN = `
  SELECT id FROM batch WHERE account_id = $1 AND business_date = $2 AND status = 'open'`

/** Its own batch, while that is open. */
async function openBatchOf(
  world: World,
  { accountId, businessDate }: TransactionRow,
): Promise<string | null> {
  assert(businessDate !== null, 'what may be voided and is no pre_auth has a day of business')
  const [open] = await world.db.query(OPEN, [accountId, dateText(businessDate)])
  return open?.id ?? null
}

interface OwnMessages {
  readonly receiptEmailAt: Date | null
  readonly receiptSmsAt: Date | null
  readonly deliveries: readonly NewDeliveries[]
}

/** Types that bring or return money. An authorization does not, and a void needs no message. */
const RECEIPT_TYPES: readonly Transaction['type'][] = ['charge', 'capture', 'refund']

/**
 * The messages that a payment's outcome sends: a receipt to its customer, if the account or the
 * payment's schedule wants one, and to the payer who requested one; and a reminder of the bill, if
 * a schedule's payment failed.
 */
export function ownMessages(taken: Taken, { status }: TransactionOutcome, at: Date): OwnMessages {
  const deliveries = MESSAGE_CHANNELS.flatMap((channel) => messagesBy(taken, status, channel))
  const receiptAt = (channel: MessageChannel) =>
    deliveries.some((one) => one.subject === 'transaction' && one.channel === channel) ? at : null
  return {
    receiptEmailAt: receiptAt('email') ?? taken.receiptEmailAt,
    receiptSmsAt: receiptAt('sms') ?? taken.receiptSmsAt,
    deliveries,
  }
}

function messagesBy(
  taken: Taken,
  status: TransactionOutcome['status'],
  channel: MessageChannel,
): readonly NewDeliveries[] {
  const { accountId, id, requestId, customer, invoice } = taken
  const known = taken.messageChannels.includes(channel) ? addressesOf(customer, channel) : []
  const isSuccess = status === 'SUCCESS'
  // The payer may be the customer; an address that occurs twice gets one message.
  const recipients = isSuccess ? [...known, ...askedFor(taken, channel)] : known
  if (recipients.length === 0) return []
  const common = { accountId, channel, recipients, request: id, requestId }
  if (isSuccess) {
    const hasReceipt = RECEIPT_TYPES.includes(taken.type)
    return hasReceipt ? [{ ...common, subject: 'transaction', subjectId: id }] : []
  }
  // A payer on the bill's page sees the decline there. An automatic payment has no such page.
  const isAutomatic = taken.scheduleId !== null && taken.invoiceTry !== null
  const isBillOpen = isAutomatic && invoice !== undefined && !taken.isScheduleDeleted
  return isBillOpen
    ? [{ ...common, subject: 'invoice', subjectId: invoice.id, isScheduled: true }]
    : []
}

function askedFor({ receiptTo }: Taken, channel: MessageChannel): readonly string[] {
  return channel === 'email' && receiptTo !== null ? [receiptTo] : []
}
