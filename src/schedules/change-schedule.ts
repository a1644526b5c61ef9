// Changes a schedule, for the runs to come. A field with its current value changes nothing, and a
// request that changes nothing writes no event.

import { isDeepStrictEqual } from 'node:util'
import type { RequestContext } from '../accounts/acting-account.ts'
import { holdReadyClock } from '../accounts/hold-clock.ts'
import { realDueAt } from '../accounts/scope.ts'
import { type Faults, Refusal, wrongField } from '../core/errors.ts'
import { secondText } from '../core/instant.ts'
import { wallTextOf } from '../core/recurrence.ts'
import { isZone } from '../core/wall-clock.ts'
import { holdNamedPayer, holdOwnPayer } from '../customers/hold-payer.ts'
import type { Query } from '../db/database.ts'
import type { InCommit } from '../db/queries.ts'
import type { World } from '../world.ts'
import {
  firstRunFrom,
  lastRunOf,
  nextRunAfter,
  refuseDue,
  refuseLostRun,
  refuseOverdue,
} from './next-run.ts'
import { holdSchedule, type ScheduleRow, scheduleRecurrence, scheduleTurn } from './schedule.ts'
import { outlookOf, shownOutlook, withOutlook } from './schedule-outlook.ts'
import { type SCHEDULE, schedules } from './schedule-view.ts'
import { firstRun, OF_TIMING, readTiming, type SentTiming, type Timing } from './timing.ts'

/** Absent fields stay as they are; null empties a field. */
export interface ScheduleChange {
  readonly fields: ReturnType<typeof SCHEDULE.readChange>
  readonly timing: Partial<SentTiming>
  readonly status: 'active' | 'paused' | undefined
  /** They cannot change, but the request may name them. */
  readonly fixed: {
    readonly customerId?: string | undefined
    readonly maxRuns?: number | undefined
    readonly endAt?: Date | undefined
    readonly nextRunAt?: Date | undefined
  }
}

/** Returns the schedule as it is after the change. */
export function changeSchedule(
  world: World,
  context: RequestContext,
  id: string,
  change: ScheduleChange,
  record?: InCommit,
): Promise<ScheduleRow> {
  const key = { accountId: context.accountId, id }
  return world.db.commit(scheduleTurn(key), async (query) => {
    const timed = await holdReadyClock(query, context)
    const row = await holdSchedule(query, key)
    if (row.status === 'deleted') {
      throw new Refusal('wrong_state', { message: 'the schedule is deleted' })
    }
    refuseOthers(row, change.fixed)
    const now = world.accountNow(timed)
    // The missed runs bill what was agreed then.
    const { total = row.total } = change.fields
    if (total !== row.total) refuseOverdue(row, 'total', now)
    const timing = await changeTiming(query, row, change.timing, now)
    const next = await inForce(query, row, { ...row, ...fieldsOf(change), ...timing }, now)
    refuseOtherRun(row, next, change.fixed.nextRunAt, now)
    if (isDeepStrictEqual(next, row)) return row
    const dueAt = next.nextRunAt && realDueAt(timed, next.nextRunAt)
    const changed = changedRow(row, { ...next, dueAt, version: row.version + 1, updatedAt: now })
    await schedules.update(world, query, context, changed)
    await record?.(query)
    return changed
  })
}

/** The outlook is computed again only if the rule or the next run has changed. */
function changedRow(before: ScheduleRow, next: ScheduleRow): ScheduleRow {
  const isSeen = next.nextRunAt?.getTime() !== before.nextRunAt?.getTime()
  return withOutlook(
    next,
    !isTimedAs(before, next) || (isSeen && next.nextRunAt !== null)
      ? outlookOf(scheduleRecurrence(next), next.nextRunAt)
      : shownOutlook(before),
  )
}

function refuseOthers(row: ScheduleRow, sent: ScheduleChange['fixed']): void {
  const { customerId = row.customerId, maxRuns = row.maxRuns, endAt } = sent
  const faults: Faults = {
    ...(customerId === row.customerId
      ? {}
      : { customer_id: ['cannot be changed: make another schedule'] }),
    ...(maxRuns === row.maxRuns ? {} : { max_runs: [OF_TIMING.max_runs] }),
    ...(endAt === undefined || isSecond(endAt, row.endAt) ? {} : { end_at: [OF_TIMING.end_at] }),
  }
  if (Object.keys(faults).length > 0) throw new Refusal('invalid_request', { faults })
}

/**
 * A schedule that goes on must not run at another time than the caller names. A time that has
 * passed is of a copy that was read before a run, and a paused schedule does not run.
 */
function refuseOtherRun(
  row: ScheduleRow,
  next: ScheduleRow,
  nextRunAt: Date | undefined,
  now: Date,
): void {
  if (nextRunAt === undefined || nextRunAt <= now || next.status === 'paused') return
  if (isSecond(nextRunAt, row.nextRunAt) || isSecond(nextRunAt, next.nextRunAt)) return
  throw wrongField('next_run_at', OF_TIMING.next_run_at)
}

/** Answers in a dialect show no milliseconds. */
function isSecond(sent: Date, known: Date | null): boolean {
  return known !== null && secondText(sent) === secondText(known)
}

function fieldsOf({ fields, status }: ScheduleChange): Partial<ScheduleRow> {
  const { meta, ...rest } = fields
  return {
    ...rest,
    ...(status === undefined ? {} : { status }),
    // Compared as the database will return it: JSON has no -0.
    ...(meta === undefined ? {} : { meta: JSON.parse(JSON.stringify(meta)) }),
  }
}

/**
 * A paused schedule has no next run. A resumed one runs from now on; its missed runs are dropped.
 */
async function inForce(
  query: Query,
  row: ScheduleRow,
  wanted: ScheduleRow,
  now: Date,
): Promise<ScheduleRow> {
  const payer = await payerOf(query, row, wanted)
  const next = { ...wanted, ...payer }
  if (next.status === 'paused') return { ...next, nextRunAt: null }
  if (row.status === 'active') return next
  const resumed = { ...next, parkedReason: null }
  // Known already if the timing is changed too.
  if (next.nextRunAt !== null) return resumed
  const last = await lastRunOf(query, next, now)
  return {
    ...resumed,
    nextRunAt: nextRunAfter(scheduleRecurrence(next), now, last?.ranOn) ?? null,
  }
}

async function payerOf(query: Query, row: ScheduleRow, wanted: ScheduleRow) {
  if (wanted.paymentMethodId !== row.paymentMethodId) return holdNamedPayer(query, wanted)
  const isResumed = row.status === 'paused' && wanted.status === 'active'
  return isResumed ? holdOwnPayer(query, wanted) : undefined
}

/** A start within the rule. */
const DTSTART = /\bDTSTART\b/i

/**
 * The timing of a schedule after its rule, its start or its zone is sent again.
 *
 * Returns nothing if the timing is sent unchanged, even if its start is past by now. A rule without
 * a start keeps the schedule's start and counts from it.
 */
async function changeTiming(
  query: Query,
  row: ScheduleRow,
  sent: Partial<SentTiming>,
  now: Date,
): Promise<(Timing & Pick<ScheduleRow, 'nextRunAt'>) | undefined> {
  const { rule = row.rule, timezone = row.timezone } = sent
  if (sent.rule === undefined && sent.start === undefined && timezone === row.timezone)
    return undefined
  const isStartSent = sent.start !== undefined || DTSTART.test(rule)
  const start = isStartSent ? sent.start : keptStart(row, timezone)
  const { timing, recurrence } = readTiming({ rule, start, timezone }, now)
  if (isTimedAs(row, timing)) return undefined
  const isNewStart = isStartSent && timing.anchor !== row.anchor
  if (isNewStart) firstRun(recurrence, now, sent.start)
  const field = isNewStart ? 'start' : sent.rule === undefined ? 'timezone' : 'rule'
  if (timezone !== row.timezone) refuseDue(row, now)
  refuseOverdue(row, field, now)
  const last = await lastRunOf(query, row, now)
  const nextRunAt = isNewStart
    ? firstRunFrom(recurrence, now, last)
    : nextRunAfter(recurrence, now, last?.ranOn)
  if (nextRunAt === undefined) {
    throw wrongField('rule', 'has no occurrence left: to end it, delete the scheduled invoice')
  }
  if (!isNewStart) {
    refuseLostRun(row, recurrence, field, last?.ranOn, now)
  }
  // A change applies to the runs to come. A run that is already due is still made.
  const isDue = row.nextRunAt !== null && row.nextRunAt <= now
  return { ...timing, nextRunAt: isDue ? row.nextRunAt : nextRunAt }
}

/**
 * The wall-clock time stays the same in another zone, even if the start was given as an instant. A
 * zone that this Node.js does not know can be replaced.
 */
function keptStart(row: ScheduleRow, timezone: string): string {
  const isKept = timezone === row.timezone || !isZone(row.timezone)
  return isKept ? row.anchor : wallTextOf(scheduleRecurrence(row))
}

function isTimedAs(row: Timing, { rule, anchor, timezone }: Timing): boolean {
  return rule === row.rule && anchor === row.anchor && timezone === row.timezone
}
