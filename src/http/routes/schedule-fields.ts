// The fields of a schedule, from a body that its schema has held to be right.

import { Refusal } from '../../core/errors.ts'
import type { Static } from '../../resource/json-schema.ts'
import { centsOf, isFlagSet } from '../../resource/read-values.ts'
import type { ScheduleChange } from '../../schedules/change-schedule.ts'
import type { NewSchedule } from '../../schedules/create-schedule.ts'
import type { newSchedule, scheduleChange } from '../schema/schedule.ts'

type Creation = Static<typeof newSchedule>
type Change = Static<typeof scheduleChange>

const DEFAULT_ZONE = 'America/New_York'

export function readNewSchedule(body: Creation): NewSchedule {
  return {
    start: undefined,
    timezone: DEFAULT_ZONE,
    paymentMethodId: null,
    missedRuns: 'all',
    emailNotification: true,
    smsNotification: false,
    url: null,
    channel: null,
    meta: {},
    ...sentOf(body),
    total: centsOf(body.total),
    currency: body.currency ?? 'USD',
    rule: body.rule,
    customerId: body.customer_id.toLowerCase(),
  }
}

export function readScheduleChange(body: Change): ScheduleChange {
  return {
    fields: {
      ...(body.total === undefined ? {} : { total: centsOf(body.total) }),
      ...(body.rule === undefined ? {} : { rule: body.rule }),
      ...sentOf(body),
    },
    status: statusOf(body),
    customerId: body.customer_id?.toLowerCase(),
  }
}

/** Without what was not sent. */
function sentOf(body: Omit<Change, 'total' | 'rule' | 'status' | 'active'>) {
  const { payment_method_id: method, email_notification: email, sms_notification: sms } = body
  return {
    ...(body.start === undefined ? {} : { start: body.start }),
    ...(body.timezone === undefined ? {} : { timezone: body.timezone }),
    ...(method === undefined ? {} : { paymentMethodId: method?.toLowerCase() ?? null }),
    ...(body.missed_runs === undefined ? {} : { missedRuns: body.missed_runs }),
    ...(email === undefined ? {} : { emailNotification: isFlagSet(email) }),
    ...(sms === undefined ? {} : { smsNotification: isFlagSet(sms) }),
    ...(body.url === undefined ? {} : { url: body.url }),
    ...(body.channel === undefined ? {} : { channel: body.channel }),
    ...(body.meta === undefined ? {} : { meta: body.meta }),
  }
}

function statusOf({ status, active }: Change): ScheduleChange['status'] {
  if (active === undefined) return status
  const said = isFlagSet(active) ? 'active' : 'paused'
  if (status === undefined || status === said) return said
  const faults = { active: [`says ${said}, and status ${status}`] }
  throw new Refusal('invalid_request', { faults })
}
