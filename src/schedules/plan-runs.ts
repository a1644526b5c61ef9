// Plans a due schedule: the invoices that it makes, and its state after that.

import { realDueAt } from '../accounts/scope.ts'
import { decideMissedRuns, type MissedRun } from '../core/missed-runs.ts'
import { after, later } from '../core/time-units.ts'
import { type InvoiceRow, newInvoiceRow } from '../invoices/invoice.ts'
import type { World } from '../world.ts'
import type { ClaimedSchedule } from './claim-due-schedules.ts'
import type { DueOccurrences } from './due-occurrences.ts'
import { waitMsOf } from './in-turn.ts'
import { isCharged } from './notified.ts'
import type { ScheduleRow } from './schedule.ts'
import { withOutlook } from './schedule-outlook.ts'

interface PlannedRun {
  readonly occursAt: Date
  /** Undefined if the run is skipped for good. */
  readonly invoice: InvoiceRow | undefined
}

export interface Plan {
  readonly runs: readonly PlannedRun[]
  readonly before: ClaimedSchedule
  readonly next: ScheduleRow
}

/**
 * No rule has more than 96 runs a day, and few dates are added to one by hand. More runs are a bug
 * of ours, which must not keep billing a customer.
 */
const MOST_RUNS_A_DAY = 200

export function planRuns(
  world: World,
  claimed: ClaimedSchedule,
  occurrences: DueOccurrences,
  now: Date,
): Plan {
  const { account: _account, isReached: _isReached, existingRuns, ...row } = claimed
  const { due, later: coming, isTooComplex, ruleText } = occurrences
  const [following = null] = coming
  const goesOn = following !== null && following <= now
  const decisions = decideMissedRuns(row.missedRuns, { occurrences: due, goesOn }, now).filter(
    ({ occursAt }) => !existingRuns.some((seen) => seen.getTime() === occursAt.getTime()),
  )
  const { kept, day, isRunaway } = boundedByDay(claimed, decisions)
  const runs = kept.map((decision) => plannedRun(world, claimed, decision, now))
  const invoices = runs.flatMap(({ invoice }) => invoice ?? [])
  const paid = invoices.filter(({ paymentId }) => paymentId !== null).length
  const last = invoices.at(-1)
  const parkedReason = parkedReasonOf(isRunaway, isTooComplex)
  const nextRunAt = parkedReason === null ? following : null
  const next: ScheduleRow = {
    ...row,
    ...day,
    ...(last === undefined
      ? {}
      : { lastRunAt: now, lastInvoiceId: last.id, lastInvoiceStatus: last.status }),
    status: parkedReason === null ? row.status : 'paused',
    parkedReason,
    count: row.count + invoices.length,
    nextRunAt,
    dueAt: nextRunAt && dueAfter(claimed, nextRunAt, paid, now),
    version: row.version + 1,
    updatedAt: now,
  }
  const outlook = { ruleText, later: coming.slice(1) }
  return { runs, before: claimed, next: withOutlook(next, outlook) }
}

/** The payments of missed runs come after those that this plan makes. */
function dueAfter({ account }: ClaimedSchedule, nextRunAt: Date, paid: number, now: Date) {
  const dueAt = realDueAt(account, nextRunAt)
  return dueAt && later(dueAt, after(now, waitMsOf(account.mode, paid)))
}

/** The reasons why a schedule is paused until a person looks at it. */
export const PARKED_SCHEDULE_REASONS = {
  too_many_runs: 'it ran more often in a day than any rule says',
  rule_too_complex: 'its next run would take too long to find',
} as const

type ScheduleParkedReason = keyof typeof PARKED_SCHEDULE_REASONS

export function isScheduleParkedReason(text: string | null): text is ScheduleParkedReason {
  return text !== null && Object.hasOwn(PARKED_SCHEDULE_REASONS, text)
}

function parkedReasonOf(isRunaway: boolean, isTooComplex: boolean): ScheduleParkedReason | null {
  if (isRunaway) return 'too_many_runs'
  return isTooComplex ? 'rule_too_complex' : null
}

type Day = Pick<ScheduleRow, 'runDay' | 'runsOfDay'>

/** Cuts the runs at the first one that exceeds the limit of its day (in UTC). */
function boundedByDay(row: ScheduleRow, decisions: readonly MissedRun[]) {
  let day: Day = { runDay: row.runDay, runsOfDay: row.runsOfDay }
  for (const [i, { occursAt, isRun }] of decisions.entries()) {
    if (!isRun) continue
    const counted = countedIn(day, occursAt)
    if (counted.runsOfDay > MOST_RUNS_A_DAY)
      return { kept: decisions.slice(0, i), day, isRunaway: true }
    day = counted
  }
  return { kept: decisions, day, isRunaway: false }
}

function countedIn({ runDay, runsOfDay }: Day, occursAt: Date): Day {
  const today = new Date(occursAt)
  today.setUTCHours(0, 0, 0, 0)
  const isSame = runDay?.getTime() === today.getTime()
  return { runDay: today, runsOfDay: isSame ? runsOfDay + 1 : 1 }
}

function plannedRun(
  world: World,
  s: ClaimedSchedule,
  { occursAt, isRun }: MissedRun,
  now: Date,
): PlannedRun {
  if (!isRun) return { occursAt, invoice: undefined }
  const isPaid = isCharged(s.paymentMethod)
  // The receipt of an automatic payment stands for the bill. What reaches nobody is not sent.
  const isSent = s.isReached
  const invoice = newInvoiceRow(world, now, {
    accountId: s.accountId,
    status: isSent ? 'SENT' : 'DRAFT',
    total: s.total,
    currency: s.currency,
    customerId: s.customerId,
    paymentMethodId: s.paymentMethodId,
    scheduleId: s.id,
    channel: s.channel,
    meta: s.meta,
    payBy: occursAt,
    isPayByExact: null,
    sentAt: isSent ? now : null,
    paymentId: isPaid ? world.newId() : null,
    tries: isPaid ? 1 : 0,
    requestId: s.requestId,
  })
  return { occursAt, invoice }
}
