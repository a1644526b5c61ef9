// An invoice as the API shows it, in answers and in the snapshots of events.

import { toDecimal } from '../core/money.ts'
import type { World } from '../world.ts'
import type { InvoiceRow } from './invoice-row.ts'

export function invoiceView(world: World, v: InvoiceRow) {
  return {
    id: v.id,
    status: v.status,
    total: toDecimal(v.total),
    total_paid: toDecimal(v.totalPaid),
    balance_due: toDecimal(v.total - v.totalPaid),
    currency: v.currency,
    customer_id: v.customerId,
    payment_method_id: v.paymentMethodId,
    schedule_id: v.scheduleId,
    url: `${world.publicAddress()}/bill/${v.token}`,
    meta: v.meta,
    due_at: v.payBy,
    sent_at: v.sentAt,
    viewed_at: v.viewedAt,
    paid_at: v.paidAt,
    next_retry_at: v.retryAt,
    created_at: v.createdAt,
    updated_at: v.updatedAt,
  }
}
