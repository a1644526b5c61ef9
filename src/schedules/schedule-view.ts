// A schedule as the API shows it, in answers and in the snapshots of events.

import { toDecimal } from '../core/money.ts'
import { occurrencesAfter, type Recurrence, ruleText } from '../core/recurrence.ts'
import { customerView } from '../customers/customer-view.ts'
import { paymentMethodView } from '../customers/payment-method-view.ts'
import { recurrenceOf, type ScheduleRow } from './schedule-row.ts'

/** So many of the runs to come are shown. */
export const SHOWN_OCCURRENCES = 12

/** What is worked out of its rule, for those who have done so already. */
export interface Outlook {
  readonly recurrence: Recurrence
  /** Those after the next run, as many as are shown beside it or more. */
  readonly later: readonly Date[]
}

export type ScheduleView = ReturnType<typeof scheduleView>

export function scheduleView(s: ScheduleRow, { recurrence, later } = outlookOf(s)) {
  const future = s.nextRunAt === null ? [] : [s.nextRunAt, ...later]
  return {
    id: s.id,
    status: s.status,
    total: toDecimal(s.total),
    currency: s.currency,
    rule: s.rule,
    start: s.anchor,
    timezone: s.timezone,
    rule_text: ruleText(recurrence),
    customer_id: s.customerId,
    payment_method_id: s.paymentMethodId,
    email_notification: s.emailNotification,
    sms_notification: s.smsNotification,
    missed_runs: s.missedRuns,
    url: s.url,
    channel: s.channel,
    meta: s.meta,
    count: s.count,
    max_runs: s.maxRuns,
    end_at: s.endAt,
    last_run_at: s.lastRunAt,
    last_invoice_status: s.lastInvoiceStatus,
    next_run_at: s.nextRunAt,
    future_occurrences: future.slice(0, SHOWN_OCCURRENCES),
    deleted_at: s.deletedAt,
    created_at: s.createdAt,
    updated_at: s.updatedAt,
    customer: customerView(s.customer),
    payment_method: s.paymentMethod === null ? null : paymentMethodView(s.paymentMethod),
  }
}

/** It follows from the row alone: what is due, and not yet run, is still to come. */
function outlookOf(s: ScheduleRow): Outlook {
  const recurrence = recurrenceOf(s)
  if (s.nextRunAt === null) return { recurrence, later: [] }
  return { recurrence, later: occurrencesAfter(recurrence, s.nextRunAt, SHOWN_OCCURRENCES - 1) }
}
