// Counts the occurrences in a span of time without listing them. Rules of days are counted by the
// wall clock, so an hour that comes twice or is missing may change the count by a few.

import { DAY } from '../time-units.ts'
import { dayOf, instantAt, wallAt } from '../wall-clock.ts'
import { indexAfter } from './calendar.ts'
import { elapsedUntil } from './elapsed.ts'
import { isEveryDay } from './pattern.ts'
import { groupsIn, latestPeriodOf, periodOf } from './periods.ts'
import { isElapsed, type Recurrence } from './rule.ts'
import type { Spend } from './steps.ts'

interface Span {
  /** The span begins after this instant. */
  readonly after: Date
  readonly until: Date
}

/** Stops counting at `most` + 1. `spend` counts the steps, and throws if they are too many. */
export function countOccurrences(
  recurrence: Recurrence,
  span: Span,
  most: number,
  spend: Spend,
): number {
  const after = span.after.getTime()
  const until = span.until.getTime()
  if (until <= after) return 0
  const { extra, except } = recurrence
  const within = (dates: readonly number[]) => indexAfter(dates, until) - indexAfter(dates, after)
  const end = Math.min(until, recurrence.end ?? Infinity)
  const byRule = countByRule(recurrence, after, end, most + within(except), spend)
  return Math.max(0, byRule + within(extra) - within(except))
}

function countByRule(
  recurrence: Recurrence,
  after: number,
  end: number,
  most: number,
  spend: Spend,
): number {
  const { rule, anchor, origin, zone, pattern } = recurrence
  if (end < origin) return 0
  if (isElapsed(rule) && isEveryDay(pattern)) return stepsBetween(recurrence, after, end)
  const from = after < origin ? anchor - 1 : wallAt(after, zone)
  const to = wallAt(end, zone)
  const last = Math.min(periodOf(dayOf(to), recurrence), latestPeriodOf(recurrence))
  let count = 0
  for (let period = periodOf(dayOf(from), recurrence); period <= last; period++) {
    for (const group of groupsIn(period, recurrence, spend)) {
      count += isElapsed(rule)
        ? stepsOn(group, recurrence, after, end)
        : group.filter((wall) => wall > from && wall <= to).length
    }
    if (count > most) break
  }
  return count
}

function stepsOn(days: readonly number[], series: Recurrence, after: number, end: number): number {
  return days.reduce((sum, day) => {
    const first = instantAt(day * DAY, series.zone)
    const next = instantAt((day + 1) * DAY, series.zone)
    return sum + stepsBetween(series, Math.max(after, first - 1), Math.min(end, next - 1))
  }, 0)
}

function stepsBetween(series: Recurrence, after: number, end: number): number {
  return Math.max(0, elapsedUntil(series, end) - elapsedUntil(series, after))
}
