// A transaction as the API shows it, in answers and in the snapshots of events.

import { flagsOf } from '../../core/follow-up.ts'
import { toDecimal } from '../../core/money.ts'
import { isSuccess } from '../../core/transaction.ts'
import { customerView } from '../../customers/customer.ts'
import { paymentMethodView } from '../../customers/payment-method.ts'
import type { World } from '../../world.ts'
import type { AccountContext } from './account-context.ts'
import { withFamilies } from './find-transaction.ts'
import { followUpFactsOf } from './follow-up-facts.ts'
import type { BatchedTransaction, TransactionRow } from './transaction-row.ts'

/** A declined payment is answered as an error, with the transaction as the body. */
export function answerStatusOf(status: TransactionRow['status']): 200 | 400 {
  return status === 'FAILED' ? 400 : 200
}

export type TransactionView = ReturnType<typeof transactionView>

/** `family` contains its children and their children, perhaps among others. */
export function transactionView(
  t: TransactionRow,
  accountContext: AccountContext,
  family: readonly BatchedTransaction[] = [],
) {
  const isLinkDeleted = t.paymentLinkDeletedAt !== null
  const show = (child: BatchedTransaction) =>
    childView(child, isLinkDeleted, accountContext, family)
  return Object.assign(fieldsOf(t, isLinkDeleted, accountContext), {
    customer: customerView(t.customer),
    payment_method: paymentMethodView(t.paymentMethod),
    child_transactions: reversalsOf(t, family).map(show),
    child_captures: capturesOf(t, family).map(show),
  })
}

/** The same for many transactions, with their children. */
export async function viewsOf(
  world: World,
  accountContext: AccountContext,
  rows: readonly TransactionRow[],
): Promise<readonly TransactionView[]> {
  const read = await withFamilies(world.db.query, accountContext.accountId, rows)
  return read.rows.map((row) => transactionView(row, accountContext, read.family))
}

/** Customer, payment method and link are those of its parent. */
function childView(
  t: BatchedTransaction,
  isLinkDeleted: boolean,
  accountContext: AccountContext,
  family: readonly BatchedTransaction[],
): object {
  const reversals = t.type === 'capture' ? reversalsOf(t, family) : []
  return {
    ...fieldsOf(t, isLinkDeleted, accountContext),
    child_transactions: reversals.map((one) =>
      childView(one, isLinkDeleted, accountContext, family),
    ),
    child_captures: [],
  }
}

function reversalsOf(
  parent: BatchedTransaction,
  family: readonly BatchedTransaction[],
): readonly BatchedTransaction[] {
  return family.filter((one) => one.referenceId === parent.id && one.type !== 'capture')
}

function capturesOf(
  parent: BatchedTransaction,
  family: readonly BatchedTransaction[],
): readonly BatchedTransaction[] {
  return family.filter((one) => one.referenceId === parent.id && one.type === 'capture')
}

/**
 * A capture shows the id of its authorization. While a payment is PENDING, its gateway id is not
 * shown, because no event would say when it became known.
 */
function publicAuthId({ type, referenceId, status, authId }: BatchedTransaction): string | null {
  if (type === 'capture') return referenceId
  return status === 'PENDING' ? null : authId
}

const PAGE_KEY = /^page-[0-9a-f]{32}$/

/**
 * The key of a payment from a page is made from the page's nonce, with which a payer's browser sees
 * the payment.
 */
function publicKey({ channel, idempotencyId }: BatchedTransaction): string | null {
  return channel === 'page' && PAGE_KEY.test(idempotencyId ?? '') ? null : idempotencyId
}

function fieldsOf(t: BatchedTransaction, isLinkDeleted: boolean, accountContext: AccountContext) {
  const flags = flagsOf(followUpFactsOf(t, isLinkDeleted, accountContext))
  return {
    id: t.id,
    type: t.type,
    method: t.method,
    status: t.status,
    success: isSuccess(t.status),
    message: t.message,
    decline_code: t.declineCode,
    retry: t.retryAdvice,
    total: toDecimal(t.total),
    total_refunded: toDecimal(t.refunded),
    currency: t.currency,
    pre_auth: t.type === 'pre_auth',
    is_captured: t.captured > 0n,
    hold_ended_at: t.holdEndedAt,
    is_voided: t.isVoided,
    is_voidable: flags.isVoidable,
    is_refundable: flags.isRefundable,
    is_manual: t.isManual,
    source: t.source,
    channel: t.channel,
    customer_id: t.customerId,
    payment_method_id: t.paymentMethodId,
    invoice_id: t.invoiceId,
    schedule_id: t.scheduleId,
    payment_link_id: t.paymentLinkId,
    reference_id: t.referenceId,
    auth_id: publicAuthId(t),
    batch_id: t.batchId,
    batched_at: t.batchedAt,
    settled_at: t.batchedAt,
    idempotency_id: publicKey(t),
    gateway_name: t.gatewayName,
    last_four: t.lastFour,
    meta: t.meta,
    receipt_email_at: t.receiptEmailAt,
    receipt_sms_at: t.receiptSmsAt,
    created_at: t.createdAt,
    updated_at: t.updatedAt,
  }
}

/** The children of one transaction, as transactions in their own right. */
export async function relatedTo(
  world: World,
  accountContext: AccountContext,
  parent: TransactionRow,
): Promise<readonly TransactionView[]> {
  const { family } = await withFamilies(world.db.query, accountContext.accountId, [parent])
  return family
    .filter((one) => one.referenceId === parent.id)
    .map((child) => transactionView({ ...parent, ...child }, accountContext, family))
}
