// Rules of elapsed time: one step after the other from the start, and of those the ones whose date,
// by the clocks of the zone, is selected.

import { firstMinute, instantOf, localOf, shownAt } from './minute-scan.ts'
import { type PlainAnchor, WEEKDAYS, type Weekday } from './plain-recurrence.ts'

export interface PlainElapsed {
  readonly minutes: number
  readonly byMonth: readonly number[]
  readonly byMonthDay: readonly number[]
  readonly byDay: readonly Weekday[]
  readonly count: number | undefined
}

/** The occurrences among this many steps. */
export function plainElapsed(
  rule: PlainElapsed,
  anchor: PlainAnchor,
  steps: number,
): readonly number[] {
  const first = firstMinute(anchor.zone, localOf(anchor.date, anchor.time))
  return Array.from({ length: steps }, (_, step) => first + step * rule.minutes)
    .filter((minute) => isWanted(rule, instantOf(shownAt(anchor.zone, minute))))
    .slice(0, rule.count)
}

export function elapsedText({ minutes, byMonth, byMonthDay, byDay, count }: PlainElapsed): string {
  const step =
    minutes % 60 === 0
      ? `FREQ=HOURLY;INTERVAL=${minutes / 60}`
      : `FREQ=MINUTELY;INTERVAL=${minutes}`
  const parts = [
    ...(byMonth.length > 0 ? [`BYMONTH=${byMonth}`] : []),
    ...(byMonthDay.length > 0 ? [`BYMONTHDAY=${byMonthDay}`] : []),
    ...(byDay.length > 0 ? [`BYDAY=${byDay}`] : []),
    ...(count === undefined ? [] : [`COUNT=${count}`]),
  ]
  return [step, ...parts].join(';')
}

/** `local` is a local time written as if it were UTC. */
function isWanted({ byMonth, byMonthDay, byDay }: PlainElapsed, local: Date): boolean {
  const length = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate()
  const date = local.getUTCDate()
  const weekday = WEEKDAYS[local.getUTCDay()] ?? 'SU'
  const isDate = (n: number) => date === (n < 0 ? length + 1 + n : Math.min(n, length))
  return (
    (byMonth.length === 0 || byMonth.includes(local.getUTCMonth() + 1)) &&
    (byMonthDay.length === 0 || byMonthDay.some(isDate)) &&
    (byDay.length === 0 || byDay.includes(weekday))
  )
}
