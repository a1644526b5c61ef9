// Whether a rule stays as cheap as it is at first. A rule may come often for years and then hardly
// ever, so it is looked at from years to come as well. The zone is left out: an hour more or less
// makes no search longer, and no zone is read a century ahead for it.

import { DAY } from '../time-units.ts'
import { dayOf, wallAt } from '../wall-clock.ts'
import { firstDayOfYear, isIn, yearOf } from './calendar.ts'
import { furthestPeriodFrom, groupsIn, latestPeriodOf, periodOf, stepOf } from './periods.ts'
import { isElapsed, type Recurrence } from './rule.ts'
import { AHEAD_STEPS, budgetOf } from './steps.ts'

/** NEXT_STEPS leaves room for the days from one look to the next. */
const EVERY_YEARS = 5

/** Throws where what comes after some year to come is too far to seek. */
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

/** Looks for one that is not taken away, as far as there may be one. */
function seek(recurrence: Recurrence, from: number, except: readonly number[]): void {
  const spend = budgetOf(AHEAD_STEPS)
  const last = furthestPeriodFrom(from, recurrence)
  for (let period = periodOf(from, recurrence); period <= last; period++) {
    for (const group of groupsIn(period, recurrence, spend)) {
      const times = isElapsed(recurrence.rule) ? stepsOn(group, recurrence) : group
      if (times.some((time) => dayOf(time) >= from && !isIn(except, time))) return
    }
  }
}

/** Which of its steps fall into the days, as though their midnight were that of UTC. */
function stepsOn(days: readonly number[], { rule, anchor, origin }: Recurrence): readonly number[] {
  const step = stepOf(rule)
  const found: number[] = []
  for (const day of days) {
    const steps = Math.max(0, Math.ceil((day * DAY - anchor) / step))
    for (let past = steps * step; anchor + past < (day + 1) * DAY; past += step) {
      found.push(origin + past)
    }
  }
  return found
}
