// The next run after a change of the timing. A run belongs to its date: another hour, zone or start
// does not repeat a date that has run, and another hour or zone does not pass over one that has
// not. Rules of several times a day have no such dates.

import { Refusal } from '../core/errors.ts'
import { nextOccurrence, onlyOccurrenceOn, type Recurrence } from '../core/recurrence.ts'
import { dateOfDay, dayOf, wallAt } from '../core/wall-clock.ts'
import type { Query } from '../db/database.ts'
import type { ScheduleRow } from './schedule.ts'

/** Of the new timing; `ranOn` is the date of the last run, if there was one. */
export function nextRunAfter(
  recurrence: Recurrence,
  instant: Date,
  ranOn: number | undefined,
): Date | undefined {
  const next = nextOccurrence(recurrence, instant)
  if (next === undefined || ranOn === undefined || dayNumberIn(recurrence.zone, next) !== ranOn)
    return next
  return onlyOccurrenceOn(recurrence, ranOn) === undefined ? next : nextOccurrence(recurrence, next)
}

const LAST_RUN = `
  SELECT max(occurs_at) AS at FROM schedule_run
  WHERE account_id = $1 AND schedule_id = $2 AND invoice_id IS NOT NULL`

/** The date of the last run, by the clock of the schedule. */
export async function dateOfLastRun(
  query: Query,
  { accountId, id, timezone }: ScheduleRow,
): Promise<number | undefined> {
  const [last] = await query(LAST_RUN, [accountId, id])
  return last?.at == null ? undefined : dayNumberIn(timezone, last.at)
}

/** Refuses a change that puts the run of a coming date into the past. */
export function refuseLostRun(
  { nextRunAt, timezone }: ScheduleRow,
  recurrence: Recurrence,
  field: 'rule' | 'timezone',
  ranOn: number | undefined,
  now: Date,
): void {
  if (nextRunAt === null || nextRunAt <= now) return
  const date = dayNumberIn(timezone, nextRunAt)
  const moved = date === ranOn ? undefined : onlyOccurrenceOn(recurrence, date)
  if (moved === undefined || moved > now) return
  const fault = `would put the run of ${dateOfDay(date)} in the past: change it after that run`
  throw new Refusal('invalid_request', { faults: { [field]: [fault] } })
}

export function dayNumberIn(zone: string, instant: Date): number {
  return dayOf(wallAt(instant.getTime(), zone))
}
