// A schedule as the API shows it, in answers and in the snapshots of events, and its writes.

import { toDecimal } from '../core/money.ts'
import { customerView } from '../customers/customer.ts'
import { paymentMethodView } from '../customers/payment-method.ts'
import { columnsOf } from '../db/columns.ts'
import { resourceOf } from '../events/resource.ts'
import type { Schedule } from '../generated/client.ts'
import type { ScheduleRow } from './schedule.ts'
import { SHOWN_OCCURRENCES, shownOutlook } from './schedule-outlook.ts'

export function scheduleView(s: ScheduleRow) {
  const { ruleText, later } = shownOutlook(s)
  const future = s.nextRunAt === null ? [] : [s.nextRunAt, ...later]
  return {
    id: s.id,
    status: s.status,
    total: toDecimal(s.total),
    currency: s.currency,
    rule: s.rule,
    start: s.anchor,
    timezone: s.timezone,
    rule_text: ruleText,
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

export const scheduleColumns = columnsOf<Schedule>('Schedule', 's', ['total'])

export const schedules = resourceOf(scheduleColumns, 'scheduled_invoice', scheduleView)
