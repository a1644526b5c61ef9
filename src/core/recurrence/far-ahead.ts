// Checks that a rule stays cheap to compute. A rule may have many occurrences for years and then
// hardly any, so it is also computed from future years. This ignores the zone: an hour more or less
// makes no search longer, and computing a zone a century ahead would be slow.

import { DAY } from '../time-units.ts'
import { dayOf, wallAt } from '../wall-clock.ts'
import { firstDayOfYear, isIn, yearOf } from './calendar.ts'
import { elapsedBetween } from './elapsed.ts'
import { furthestPeriodFrom, groupsIn, latestPeriodOf, periodOf } from './periods.ts'
import { isElapsed, type Recurrence } from './rule.ts'
import { AHEAD_STEPS, budgetOf } from './steps.ts'

/** NEXT_STEPS leaves room for the days between two checks. */
const EVERY_YEARS = 5

/** Throws if the next occurrence after some future year is too far away to find. */
export function checkFarAhead(recurrence: Recurrence, now: Date): void {
  const { anchor, zone } = recurrence
  const except = isElapsed(recurrence.rule)
    ? recurrence.except
    : recurrence.except.map((instant) => wallAt(instant, zone))
  const last = latestPeriodOf(recurrence)
  const first = yearOf(Math.max(dayOf(anchor), dayOf(now.getTime())))
  for (let year = first; ; year += EVERY_YEARS) {
    const day = firstDayOfYear(year)
    if (periodOf(day, recurrence) > last) return
    seek(recurrence, day, except)
  }
}

/** Searches for an occurrence that EXDATE does not exclude, as far as there may be one. */
function seek(recurrence: Recurrence, from: number, except: readonly number[]): void {
  const spend = budgetOf(AHEAD_STEPS)
  const last = furthestPeriodFrom(from, recurrence)
  for (let period = periodOf(from, recurrence); period <= last; period++) {
    for (const group of groupsIn(period, recurrence, spend)) {
      const times = isElapsed(recurrence.rule) ? elapsedOn(group, recurrence) : group
      if (times.some((time) => dayOf(time) >= from && !isIn(except, time))) return
    }
  }
}

/** The occurrences on these days, as if the days began at midnight of the start's clock. */
function elapsedOn(days: readonly number[], series: Recurrence): readonly number[] {
  const east = series.anchor - series.origin
  return days.flatMap((day) => [
    ...elapsedBetween(series, day * DAY - east, (day + 1) * DAY - east),
  ])
}
