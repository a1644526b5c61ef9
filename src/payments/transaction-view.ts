// A transaction as the API shows it, in answers and in the snapshots of events.

import { toDecimal } from '../core/money.ts'
import { flagsOf, isSuccess } from '../core/transaction.ts'
import { customerView } from '../customers/customer-view.ts'
import { paymentMethodView } from '../customers/payment-method-view.ts'
import type { TransactionRow } from './transaction-row.ts'

/** A payment that the gateway declined is answered as an error whose body is the transaction. */
export function answerStatusOf(status: TransactionRow['status']): 200 | 400 {
  return status === 'FAILED' ? 400 : 200
}

export function transactionView(t: TransactionRow) {
  const flags = flagsOf({
    type: t.type,
    status: t.status,
    isManual: t.isManual,
    isVoided: t.isVoided,
    isBatched: t.batchedAt !== null,
    left: t.captured - t.refunded - t.reserved,
  })
  return {
    id: t.id,
    type: t.type,
    method: t.method,
    status: t.status,
    success: isSuccess(t.status),
    message: t.message,
    total: toDecimal(t.total),
    total_refunded: toDecimal(t.refunded),
    currency: t.currency,
    pre_auth: t.type === 'pre_auth',
    is_captured: t.captured > 0n,
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
    auth_id: t.authId,
    batch_id: t.batchId,
    batched_at: t.batchedAt,
    settled_at: t.batchedAt,
    idempotency_id: t.idempotencyId,
    gateway_name: t.gatewayName,
    last_four: t.lastFour,
    meta: t.meta,
    receipt_email_at: t.receiptEmailAt,
    receipt_sms_at: t.receiptSmsAt,
    created_at: t.createdAt,
    updated_at: t.updatedAt,
    customer: customerView(t.customer),
    payment_method: paymentMethodView(t.paymentMethod),
    child_transactions: [],
    child_captures: [],
  }
}
