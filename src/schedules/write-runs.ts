// Writes what schedules have run: the runs, their invoices, the payments that these owe, and the
// schedules as they are then, each with its event.

import { after } from '../core/time-units.ts'
import { dateText } from '../core/whole-days.ts'
import { addressesOf, MESSAGE_CHANNELS } from '../customers/addresses-of.ts'
import type { Query } from '../db/database.ts'
import { type GatheredStatement, valuesOf } from '../db/gathered.ts'
import { type NewDeliveries, writeDeliveries } from '../deliveries/write-deliveries.ts'
import type { InvoiceRow } from '../invoices/invoice-row.ts'
import { invoiceView } from '../invoices/invoice-view.ts'
import type { World } from '../world.ts'
import type { Plan, PlannedInvoice, PlannedRun } from './plan-runs.ts'
import { insertRuns, type Move, moveSchedules, type RunWrite } from './run-statements.ts'
import type { ScheduleRow } from './schedule-row.ts'
import { scheduleView } from './schedule-view.ts'

export async function writeRuns(
  world: World,
  query: Query,
  plans: readonly Plan[],
  now: Date,
): Promise<void> {
  const runs = plans.flatMap((plan) =>
    plan.runs.map((run) => runWrite(world, plan.before, run, now)),
  )
  await carryOut(query, insertRuns, runs)
  await writeDeliveries(world, query, ...plans.flatMap(billsOf))
  await carryOut(
    query,
    moveSchedules,
    plans.map((plan) => move(world, plan)),
  )
}

async function carryOut<I>(
  query: Query,
  statement: GatheredStatement<I, undefined>,
  inputs: readonly I[],
): Promise<void> {
  if (inputs.length > 0) await query(statement.text, valuesOf(statement, inputs))
}

function runWrite(
  world: World,
  schedule: ScheduleRow,
  { occursAt, invoice }: PlannedRun,
  now: Date,
): RunWrite {
  return {
    accountId: schedule.accountId,
    scheduleId: schedule.id,
    occursAt,
    invoiceId: invoice?.id ?? null,
    isSent: invoice?.status === 'SENT',
    token: invoice?.token ?? null,
    paymentId: invoice?.paymentId ?? null,
    eventId: invoice === undefined ? null : world.newId(),
    snapshot:
      invoice === undefined
        ? null
        : JSON.stringify(invoiceView(world, invoiceOf(schedule, invoice, occursAt, now))),
    at: now,
    dueAt: after(world.clock.now(), world.timings.nudgeGraceMs),
    deadlineAt: after(now, world.config.pendingDeadlineMs),
  }
}

/** Whoever pays by himself is sent the bill; of what is paid by itself there will be a receipt. */
function billsOf({ before, runs }: Plan): readonly NewDeliveries[] {
  const { accountId, account, customer, emailNotification, smsNotification, requestId } = before
  const isWanted = { email: emailNotification, sms: smsNotification && account.smsEnabled }
  const channels = MESSAGE_CHANNELS.filter((channel) => isWanted[channel])
  const bills = runs.flatMap(({ invoice }) => (invoice?.paymentId === null ? [invoice] : []))
  return bills.flatMap(({ id }) =>
    channels.map((channel) => ({
      accountId,
      channel,
      subject: 'invoice' as const,
      subjectId: id,
      recipients: addressesOf(customer, channel),
      request: 'run',
      requestId,
    })),
  )
}

/** As the statement writes it. */
function invoiceOf(s: ScheduleRow, planned: PlannedInvoice, occursAt: Date, now: Date): InvoiceRow {
  return {
    accountId: s.accountId,
    id: planned.id,
    status: planned.status,
    total: s.total,
    totalPaid: 0n,
    currency: s.currency,
    customerId: s.customerId,
    paymentMethodId: s.paymentMethodId,
    scheduleId: s.id,
    token: planned.token,
    channel: s.channel,
    meta: s.meta,
    payBy: occursAt,
    sentAt: planned.status === 'SENT' ? now : null,
    viewedAt: null,
    paidAt: null,
    paymentId: planned.paymentId,
    tries: planned.paymentId === null ? 0 : 1,
    retryAt: null,
    dueAt: null,
    requestId: s.requestId,
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
}

function move(world: World, { next }: Plan): Move {
  return {
    accountId: next.accountId,
    id: next.id,
    status: next.status,
    count: next.count,
    runDay: next.runDay && dateText(next.runDay),
    runsOfDay: next.runsOfDay,
    lastRunAt: next.lastRunAt,
    lastInvoiceId: next.lastInvoiceId,
    nextRunAt: next.nextRunAt,
    dueAt: next.dueAt,
    version: next.version,
    at: next.updatedAt,
    eventId: world.newId(),
    snapshot: JSON.stringify(scheduleView(next)),
    outlook: JSON.stringify(next.outlook),
    parkedReason: next.parkedReason,
  }
}
