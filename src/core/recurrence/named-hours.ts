// A rule of hours or minutes that names hours is the daily rule of the same times, as RFC 5545 says
// of its own example: every 20 minutes with BYHOUR=9,10 is every day at 9:00, 9:20 and so on. If it
// counted elapsed time, every second hour with BYHOUR=9,11 would make no run from one change of the
// clocks to the next.

import { wallAt } from '../wall-clock.ts'
import { offsetsOf } from './elapsed.ts'
import { isElapsed, type Rule } from './rule.ts'
import type { SeriesInput } from './series.ts'

const EVERY_MINUTE = Array.from({ length: 60 }, (_, minute) => minute)

/** Undefined if the interval meets none of the named times. Other rules stay as they are. */
export function byTheClock(input: SeriesInput): SeriesInput | undefined {
  const { rule, anchor, origin, zone } = input
  const { frequency, interval } = rule
  if (!isElapsed(rule)) return input
  if (rule.hours.length === 0) {
    return offsetsOf(rule, wallAt(origin, zone)).length > 0 ? input : undefined
  }
  const start = new Date(anchor)
  const met = (times: readonly number[], first: number) =>
    times.filter((time) => (time - first) % interval === 0)
  if (frequency === 'HOURLY') {
    const hours = met(rule.hours, start.getUTCHours())
    return hours.length > 0 ? { ...input, rule: inDays({ ...rule, hours }) } : undefined
  }
  const named = rule.minutes.length > 0 ? rule.minutes : EVERY_MINUTE
  const minutes = met(named, start.getUTCMinutes())
  return minutes.length > 0 ? { ...input, rule: inDays({ ...rule, minutes }) } : undefined
}

/** RFC 5545 has no BYYEARDAY in daily rules. */
function inDays(rule: Rule): Rule {
  return { ...rule, frequency: rule.yearDays.length > 0 ? 'YEARLY' : 'DAILY', interval: 1 }
}
