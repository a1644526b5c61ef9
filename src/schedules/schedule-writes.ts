// What a change of a schedule writes: the row and its event, in the commit of whoever holds it.

import type { Asking } from '../accounts/asking.ts'
import type { Query } from '../db/database.ts'
import { insertEvent } from '../events/insert-event.ts'
import type { Schedule } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { ScheduleRow } from './schedule-row.ts'
import { scheduleView } from './schedule-view.ts'

const INSERT = `
  INSERT INTO schedule (account_id, id, customer_id, payment_method_id, status, total, currency,
    rule, anchor, timezone, missed_runs, email_notification, sms_notification, url, channel, meta,
    max_runs, end_at, next_run_at, due_at, request_id, version, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
    $21, $22, $23, $24)`

export async function insertSchedule(query: Query, s: Schedule): Promise<void> {
  await query(INSERT, [
    s.accountId,
    s.id,
    s.customerId,
    s.paymentMethodId,
    s.status,
    s.total,
    s.currency,
    s.rule,
    s.anchor,
    s.timezone,
    s.missedRuns,
    s.emailNotification,
    s.smsNotification,
    s.url,
    s.channel,
    JSON.stringify(s.meta),
    s.maxRuns,
    s.endAt,
    s.nextRunAt,
    s.dueAt,
    s.requestId,
    s.version,
    s.createdAt,
    s.updatedAt,
  ])
}

const UPDATE = `
  UPDATE schedule SET payment_method_id = $3, status = $4, total = $5, rule = $6, anchor = $7,
    timezone = $8, missed_runs = $9, email_notification = $10, sms_notification = $11, url = $12,
    channel = $13, meta = $14, max_runs = $15, end_at = $16, next_run_at = $17, due_at = $18,
    version = $19, updated_at = $20, deleted_at = $21
  WHERE account_id = $1 AND id = $2`

export async function updateSchedule(query: Query, s: Schedule): Promise<void> {
  await query(UPDATE, [
    s.accountId,
    s.id,
    s.paymentMethodId,
    s.status,
    s.total,
    s.rule,
    s.anchor,
    s.timezone,
    s.missedRuns,
    s.emailNotification,
    s.smsNotification,
    s.url,
    s.channel,
    JSON.stringify(s.meta),
    s.maxRuns,
    s.endAt,
    s.nextRunAt,
    s.dueAt,
    s.version,
    s.updatedAt,
    s.deletedAt,
  ])
}

export function tellSchedule(
  world: World,
  query: Query,
  asking: Asking,
  type: `${'create' | 'update' | 'delete'}_scheduled_invoice`,
  row: ScheduleRow,
): Promise<void> {
  return insertEvent(world, query, {
    accountId: row.accountId,
    type,
    resourceId: row.id,
    sequence: row.version,
    view: scheduleView(row),
    requestId: asking.requestId,
    at: row.updatedAt,
  })
}
