// Rules of hours and minutes in the simplest way, after the table of RFC 5545: each minute of a
// clock that starts with the rule and never changes is checked. By default that clock measures
// elapsed time. A rule that names hours is read on the clocks of its zone instead, as one of days.

import { DAY, firstMinute, instantOf, isDate, localOf, shownAt } from './minute-scan.ts'
import { type PlainAnchor, WEEKDAYS, type Weekday } from './plain-recurrence.ts'

export interface PlainElapsed {
  readonly freq: 'HOURLY' | 'MINUTELY'
  readonly interval: number
  readonly byMonth: readonly number[]
  readonly byYearDay: readonly number[]
  readonly byMonthDay: readonly number[]
  readonly byDay: readonly Weekday[]
  readonly byHour: readonly number[]
  readonly byMinute: readonly number[]
  readonly count: number | undefined
}

/** The first occurrences within this many minutes of the start, each instant once. */
export function plainElapsed(
  rule: PlainElapsed,
  anchor: PlainAnchor,
  { minutes, most }: { readonly minutes: number; readonly most: number },
): readonly number[] {
  const anchored = localOf(anchor.date, anchor.time)
  const first = firstMinute(anchor.zone, anchored)
  const start = rule.byHour.length > 0 ? anchored : shownAt(anchor.zone, first)
  const wanted = Math.min(rule.count ?? most, most)
  const found = new Set<number>()
  for (let local = start; local < start + minutes && found.size < wanted; local++) {
    if (!isStep(rule, start, local)) continue
    if (rule.byHour.length === 0) {
      const minute = first + local - start
      if (isWanted(rule, shownAt(anchor.zone, minute))) found.add(minute)
    } else if (isWanted(rule, local) && isDate(anchor.zone, local - (local % DAY))) {
      found.add(firstMinute(anchor.zone, local))
    }
  }
  return [...found]
}

export function elapsedText(rule: PlainElapsed): string {
  const lists = {
    BYMONTH: rule.byMonth,
    BYYEARDAY: rule.byYearDay,
    BYMONTHDAY: rule.byMonthDay,
    BYDAY: rule.byDay,
    BYHOUR: rule.byHour,
    BYMINUTE: rule.byMinute,
    COUNT: rule.count === undefined ? [] : [rule.count],
  }
  const written = Object.entries(lists)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}=${values}`)
  return [`FREQ=${rule.freq}`, `INTERVAL=${rule.interval}`, ...written].join(';')
}

/** Whether the rule's times of day select that minute. */
function isStep(rule: PlainElapsed, start: number, local: number): boolean {
  const hours = Math.floor(local / 60) - Math.floor(start / 60)
  const minute = local % 60
  const isNamed = rule.byMinute.includes(minute)
  if (rule.byHour.length > 0 && !rule.byHour.includes(Math.floor((local % DAY) / 60))) return false
  return rule.freq === 'HOURLY'
    ? hours % rule.interval === 0 && (rule.byMinute.length > 0 ? isNamed : minute === start % 60)
    : (local - start) % rule.interval === 0 && (rule.byMinute.length === 0 || isNamed)
}

/** Whether the rule's days select that local time. */
function isWanted({ byMonth, byYearDay, byMonthDay, byDay }: PlainElapsed, time: number): boolean {
  const local = instantOf(time)
  const year = local.getUTCFullYear()
  const length = new Date(Date.UTC(year, local.getUTCMonth() + 1, 0)).getUTCDate()
  const date = local.getUTCDate()
  const weekday = WEEKDAYS[local.getUTCDay()] ?? 'SU'
  const isDateOf = (n: number) => date === (n < 0 ? length + 1 + n : Math.min(n, length))
  const dayOfYear = Math.floor((time - localOf(`${year}-01-01`)) / DAY) + 1
  const yearLength = (localOf(`${year + 1}-01-01`) - localOf(`${year}-01-01`)) / DAY
  const isDayOfYear = (n: number) => dayOfYear === (n < 0 ? yearLength + 1 + n : n)
  return (
    (byMonth.length === 0 || byMonth.includes(local.getUTCMonth() + 1)) &&
    (byYearDay.length === 0 || byYearDay.some(isDayOfYear)) &&
    (byMonthDay.length === 0 || byMonthDay.some(isDateOf)) &&
    (byDay.length === 0 || byDay.includes(weekday))
  )
}
