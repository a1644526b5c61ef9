// Where COUNT or UNTIL end a rule.

import { DAY } from '../time-units.ts'
import { instantAt } from '../wall-clock.ts'
import { isEveryDay } from './pattern.ts'
import { instantsIn, lastPeriodOf, type Series, stepOf } from './periods.ts'
import { isElapsed } from './rule.ts'
import { instantOf } from './times.ts'

/** The last instant that may be an occurrence; undefined where nothing ends the rule. */
export function endOf(series: Series): number | undefined {
  const { count, until } = series.rule
  if (count !== undefined) return endOfCount(count, series)
  if (until?.kind === 'date') return instantAt((until.day + 1) * DAY, series.zone) - 1
  return until && instantOf(until, series.zone, 0)
}

function endOfCount(count: number, series: Series): number {
  const { rule, anchor, zone, pattern } = series
  if (isElapsed(rule) && isEveryDay(pattern)) {
    return instantAt(anchor, zone) + (count - 1) * stepOf(rule)
  }
  const last = lastPeriodOf(series)
  let counted = 0
  let end = instantAt(anchor, zone) - 1
  for (let period = 0; period <= last; period++) {
    for (const instant of instantsIn(period, series)) {
      if (instant > end) counted++
      end = instant
      if (counted === count) return end
    }
  }
  return end
}
