// Where COUNT or UNTIL end a rule.

import { DAY } from '../time-units.ts'
import { instantAt } from '../wall-clock.ts'
import { isEveryDay } from './pattern.ts'
import { instantsIn, lastPeriodOf, type Series, stepOf } from './periods.ts'
import { isElapsed } from './rule.ts'
import { budgetOf, COUNT_STEPS, MOST_COUNT, tooComplex } from './steps.ts'
import { instantOf } from './times.ts'

/** The last instant that may be an occurrence; undefined where nothing ends the rule. */
export function endOf(series: Series): number | undefined {
  const { count, until } = series.rule
  if (count !== undefined) return endOfCount(count, series)
  if (until?.kind === 'date') return instantAt((until.day + 1) * DAY, series.zone) - 1
  return until && instantOf(until, series.zone, 0)
}

function endOfCount(count: number, series: Series): number {
  const { rule, origin, pattern } = series
  if (isElapsed(rule) && isEveryDay(pattern)) return origin + (count - 1) * stepOf(rule)
  // Only one that was taken before there were bounds.
  if (count > MOST_COUNT) throw tooComplex(`must have COUNT from 1 to ${MOST_COUNT}`)
  const last = lastPeriodOf(series)
  const spend = budgetOf(COUNT_STEPS)
  let counted = 0
  let end = origin - 1
  for (let period = 0; period <= last; period++) {
    for (const instant of instantsIn(period, series, spend)) {
      if (instant > end) counted++
      end = instant
      if (counted === count) return end
    }
  }
  return end
}
