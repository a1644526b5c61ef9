// Creates a schedule. Row, event and the answer to repeats are one commit. Before it no request can
// delete its customer or its payment method.

import type { RequestContext } from '../accounts/acting-account.ts'
import { holdReadyClock } from '../accounts/hold-clock.ts'
import { dueIn } from '../accounts/scope.ts'
import type { MissedRuns } from '../core/missed-runs.ts'
import { type Cents, toDecimal } from '../core/money.ts'
import { holdNamedPayer } from '../customers/hold-payer.ts'
import type { Query } from '../db/database.ts'
import type { Prisma } from '../generated/client.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import type { ScheduleRow } from './schedule.ts'
import { outlookOf, withOutlook } from './schedule-outlook.ts'
import { schedules, scheduleView } from './schedule-view.ts'
import { firstRun, readTiming, type SentTiming } from './timing.ts'

export interface NewSchedule extends SentTiming {
  readonly total: Cents
  readonly currency: string
  readonly customerId: string
  readonly paymentMethodId: string | null
  readonly missedRuns: MissedRuns
  readonly emailNotification: boolean
  readonly smsNotification: boolean
  readonly url: string | null
  readonly channel: string | null
  readonly meta: Readonly<Record<string, unknown>>
}

const OPERATION = 'create_scheduled_invoice'

export function createSchedule(
  world: World,
  context: RequestContext,
  input: NewSchedule,
): Promise<Done> {
  const { accountId, idempotencyKey } = context
  const id = world.newId()
  const doing = {
    accountId,
    idempotencyKey,
    operation: OPERATION,
    request: canonical(input),
    resourceId: id,
  }
  return once(world, doing, async (query) => {
    const row = await newRow(world, query, await holdReadyClock(query, context), id, input)
    await schedules.insert(world, query, context, row)
    return scheduleView(row)
  })
}

async function newRow(
  world: World,
  query: Query,
  context: RequestContext,
  id: string,
  input: NewSchedule,
): Promise<ScheduleRow> {
  const { accountId, requestId } = context
  const now = world.accountNow(context)
  const { timing, recurrence } = readTiming(input, now)
  const nextRunAt = firstRun(recurrence, now, input.start)
  const payer = await holdNamedPayer(query, { ...input, accountId })
  const row: ScheduleRow = {
    ...NEVER_RUN,
    ...timing,
    ...payer,
    accountId,
    id,
    customerId: payer.customer.id,
    paymentMethodId: payer.paymentMethod?.id ?? null,
    total: input.total,
    currency: input.currency,
    missedRuns: input.missedRuns,
    emailNotification: input.emailNotification,
    smsNotification: input.smsNotification,
    url: input.url,
    channel: input.channel,
    meta: input.meta as Prisma.JsonObject,
    nextRunAt,
    dueAt: dueIn(context, nextRunAt),
    requestId,
    createdAt: now,
    updatedAt: now,
  }
  return withOutlook(row, outlookOf(recurrence, nextRunAt))
}

const NEVER_RUN = {
  status: 'active',
  count: 0,
  runDay: null,
  runsOfDay: 0,
  lastRunAt: null,
  lastInvoiceId: null,
  lastInvoiceStatus: null,
  version: 1,
  deletedAt: null,
  outlook: null,
  parkedReason: null,
} as const

/** A repeat is compared with this: all input of the caller, with its defaults. */
function canonical(input: NewSchedule): CanonicalRequest {
  return JSON.parse(
    JSON.stringify({
      total: toDecimal(input.total),
      currency: input.currency,
      rule: input.rule,
      start: input.start ?? null,
      timezone: input.timezone,
      customer_id: input.customerId,
      payment_method_id: input.paymentMethodId,
      missed_runs: input.missedRuns,
      email_notification: input.emailNotification,
      sms_notification: input.smsNotification,
      url: input.url,
      channel: input.channel,
      meta: input.meta,
    }),
  )
}
