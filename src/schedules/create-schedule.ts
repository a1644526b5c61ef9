// Creates a schedule. Row, event and the answer to repeats are one commit. Before it no request can
// delete its customer or its payment method.

import type { RequestContext } from '../accounts/acting-account.ts'
import { holdReadyClock } from '../accounts/hold-clock.ts'
import { realDueAt } from '../accounts/scope.ts'
import { holdNamedPayer } from '../customers/hold-payer.ts'
import type { Query } from '../db/database.ts'
import { type Done, once } from '../idempotency/once.ts'
import { firstVersion } from '../resource/row-versions.ts'
import type { World } from '../world.ts'
import type { ScheduleRow } from './schedule.ts'
import { outlookOf, withOutlook } from './schedule-outlook.ts'
import { SCHEDULE, schedules, scheduleView } from './schedule-view.ts'
import { firstRun, readTiming, type SentTiming } from './timing.ts'

export interface NewSchedule extends SentTiming {
  readonly customerId: string
  readonly currency: string
  readonly status: 'active' | 'paused'
  readonly fields: ReturnType<typeof SCHEDULE.readCreation>
}

export function createSchedule(
  world: World,
  context: RequestContext,
  input: NewSchedule,
): Promise<Done> {
  const id = world.newId()
  const request = canonical(input)
  const claim = { operation: 'create_scheduled_invoice', request, resourceId: id }
  return once(world, context, claim, async (query) => {
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
  const { customerId, currency, status, fields } = input
  const now = world.accountNow(context)
  const { timing, recurrence } = readTiming(input, now)
  const first = firstRun(recurrence, now, input.start)
  // A paused schedule has no next run.
  const nextRunAt = status === 'paused' ? null : first
  const columns = SCHEDULE.newColumns(fields)
  const payer = await holdNamedPayer(query, { ...columns, accountId, customerId })
  const row: ScheduleRow = {
    ...NEVER_RUN,
    ...timing,
    ...columns,
    ...payer,
    accountId,
    id,
    customerId,
    currency,
    status,
    nextRunAt,
    dueAt: nextRunAt && realDueAt(context, nextRunAt),
    requestId,
    ...firstVersion(now),
  }
  return withOutlook(row, outlookOf(recurrence, nextRunAt))
}

const NEVER_RUN = {
  count: 0,
  runDay: null,
  runsOfDay: 0,
  lastRunAt: null,
  lastInvoiceId: null,
  lastInvoiceStatus: null,
  outlook: null,
  parkedReason: null,
} as const

/** A repeat is compared with this: all input of the caller, with its defaults. */
function canonical({ fields, customerId, currency, status, ...sent }: NewSchedule) {
  const { rule, start, timezone } = sent
  const timing = { rule, start: start ?? null, timezone }
  return {
    ...SCHEDULE.canonical(SCHEDULE.newColumns(fields)),
    ...timing,
    // Requests of earlier versions have none.
    ...(status === 'active' ? {} : { status }),
    currency,
    customer_id: customerId,
  }
}
