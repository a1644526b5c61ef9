// The next run after a change of the timing. A run belongs to its date: another hour, zone or start
// does not repeat a date that has run, and another hour or zone does not pass over one that has
// not. Rules of several times a day have no such dates.

import { type Refusal, wrongField } from '../core/errors.ts'
import { occurrencesSince, onlyOccurrenceOn, type Recurrence } from '../core/recurrence.ts'
import { after, MINUTE } from '../core/time-units.ts'
import { dateOfDay, dayIn, isZone } from '../core/wall-clock.ts'
import type { Query } from '../db/database.ts'
import type { ScheduleRow } from './schedule.ts'

type TimingField = 'rule' | 'start' | 'timezone'

type GuardedField = TimingField | 'total'

/**
 * The next run of the new timing. `ranOn` is the date of the last run, if there was one. If the new
 * zone lags behind the old one, a date that has run may come again.
 */
export function nextRunAfter(
  recurrence: Recurrence,
  instant: Date,
  ranOn: number | undefined,
): Date | undefined {
  return runsSince(recurrence, instant, ranOn).next().value
}

/** The same run, and those after it. */
export function* runsSince(
  recurrence: Recurrence,
  instant: Date,
  ranOn: number | undefined,
): Generator<Date, undefined> {
  for (const next of occurrencesSince(recurrence, instant)) {
    if (ranOn === undefined || !hasRun(recurrence, next, ranOn)) yield next
  }
  return undefined
}

function hasRun(recurrence: Recurrence, next: Date, ranOn: number): boolean {
  const date = dayIn(recurrence.zone, next)
  return date <= ranOn && onlyOccurrenceOn(recurrence, date) !== undefined
}

/** Runs that a sandbox clock made later than it is now are left out. */
const LAST_RUN = `
  SELECT occurs_at, ran_on - DATE '1970-01-01' AS ran_on FROM schedule_run
  WHERE account_id = $1 AND schedule_id = $2 AND invoice_id IS NOT NULL AND occurs_at <= $3
  ORDER BY occurs_at DESC LIMIT 1`

interface LastRun {
  readonly occursAt: Date
  /** Its date, by the clock of the schedule when it ran. */
  readonly ranOn: number
}

export async function lastRunOf(
  query: Query,
  { accountId, id, timezone }: ScheduleRow,
  now: Date,
): Promise<LastRun | undefined> {
  const [last] = await query(LAST_RUN, [accountId, id, now])
  if (last === undefined) return undefined
  const { occurs_at: occursAt, ran_on: ranOn } = last
  return { occursAt, ranOn: ranOn ?? dayIn(timezone, occursAt) }
}

/**
 * The first run of a new start. As at creation it may be now, where the clock of an account stands
 * still, unless the run of this instant is made already.
 */
export function firstRunFrom(
  recurrence: Recurrence,
  now: Date,
  last: LastRun | undefined,
): Date | undefined {
  const isNowFree = last?.occursAt.getTime() !== now.getTime()
  return nextRunAfter(recurrence, isNowFree ? after(now, -1) : now, last?.ranOn)
}

/** A run that is due is made within a minute; a change waits for one that no worker makes. */
const OVERDUE_MS = 5 * MINUTE

/**
 * Refuses a change while runs are overdue: those that were missed belong to the timing and the
 * amount before.
 */
export function refuseOverdue({ nextRunAt }: ScheduleRow, field: GuardedField, now: Date): void {
  if (nextRunAt === null || now.getTime() - nextRunAt.getTime() <= OVERDUE_MS) return
  throw overdue(nextRunAt, field)
}

/** Refuses another zone while a run is due: its date is the one by the zone before. */
export function refuseDue({ nextRunAt }: ScheduleRow, now: Date): void {
  if (nextRunAt !== null && nextRunAt <= now) throw overdue(nextRunAt, 'timezone')
}

function overdue(nextRunAt: Date, field: GuardedField): Refusal {
  const since = nextRunAt.toISOString()
  const fault = `cannot change while a run is overdue since ${since}: wait for it, or pause first`
  return wrongField(field, fault)
}

/** Refuses a change that puts the run of a coming date into the past. */
export function refuseLostRun(
  { nextRunAt, timezone }: ScheduleRow,
  recurrence: Recurrence,
  field: TimingField,
  ranOn: number | undefined,
  now: Date,
): void {
  if (nextRunAt === null || nextRunAt <= now || !isZone(timezone)) return
  const date = dayIn(timezone, nextRunAt)
  const moved = date === ranOn ? undefined : onlyOccurrenceOn(recurrence, date)
  if (moved === undefined || moved > now) return
  const lost = `would put the run of ${dateOfDay(date)} in the past`
  throw wrongField(field, `${lost}: change it after that run, or pause first`)
}
