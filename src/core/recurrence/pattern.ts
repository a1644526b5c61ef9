// Which days and which times of a day a rule means. A day of month that the month lacks is its last
// day instead; one counted from the end, or an ordinal weekday, that it lacks is none.

import { HOUR, MINUTE } from '../time-units.ts'
import { dayOf, type Wall } from '../wall-clock.ts'
import { firstDayOfMonth, firstDayOfYear, monthOf, weekdayOf, yearOf } from './calendar.ts'
import { type DayPattern, isElapsed, type NthWeekday, type Pattern, type Rule } from './rule.ts'
import { timeOfDayOf } from './times.ts'

/** Days from the first on, and before the other. */
interface Days {
  readonly first: number
  readonly end: number
}

/** The rule's own, and what it leaves open as the anchor has it. */
export function patternOf(rule: Rule, anchor: Wall): Pattern {
  return { ...dayPatternOf(rule, anchor), times: isElapsed(rule) ? [] : timesOf(rule, anchor) }
}

/** The days that match, in order. */
export function daysOf(days: Days, rule: Rule, pattern: DayPattern): readonly number[] {
  return isEveryDay(pattern) ? allOf(days) : matchingOf(days, rule, pattern)
}

export function isEveryDay({ months, monthDays, weekdays }: DayPattern): boolean {
  return months.length + monthDays.length + weekdays.length === 0
}

/** Of a rule of years that names months, ordinals count within the month. */
export function isCountedInYear({ frequency, months }: Rule): boolean {
  return frequency === 'YEARLY' && months.length === 0
}

function dayPatternOf(rule: Rule, anchor: Wall): DayPattern {
  const { frequency, months, monthDays, weekdays } = rule
  if (monthDays.length + weekdays.length > 0) return { months, monthDays, weekdays }
  const date = new Date(anchor)
  const ownMonthDays = [date.getUTCDate()]
  switch (frequency) {
    case 'YEARLY': {
      const own = months.length > 0 ? months : [date.getUTCMonth() + 1]
      return { months: own, monthDays: ownMonthDays, weekdays }
    }
    case 'MONTHLY':
      return { months, monthDays: ownMonthDays, weekdays }
    case 'WEEKLY':
      return { months, monthDays, weekdays: [{ weekday: weekdayOf(dayOf(anchor)), nth: 0 }] }
    case 'DAILY':
    case 'HOURLY':
    case 'MINUTELY':
      return { months, monthDays, weekdays }
  }
}

/** The seconds are the anchor's always. */
function timesOf(rule: Rule, anchor: Wall): readonly number[] {
  const time = timeOfDayOf(anchor)
  const hours = rule.hours.length > 0 ? rule.hours : [Math.floor(time / HOUR)]
  const minutes = rule.minutes.length > 0 ? rule.minutes : [Math.floor((time % HOUR) / MINUTE)]
  const seconds = time % MINUTE
  return hours.flatMap((hour) => minutes.map((minute) => hour * HOUR + minute * MINUTE + seconds))
}

function allOf({ first, end }: Days): readonly number[] {
  const days: number[] = []
  for (let day = first; day < end; day++) days.push(day)
  return days
}

/** Month by month, since most of a year is passed over. */
function matchingOf({ first, end }: Days, rule: Rule, pattern: DayPattern): readonly number[] {
  const found: number[] = []
  for (let month = monthOf(first); firstDayOfMonth(month) < end; month++) {
    if (!isAmong((month % 12) + 1, pattern.months)) continue
    const days = { first: firstDayOfMonth(month), end: firstDayOfMonth(month + 1) }
    const counted = isCountedInYear(rule) ? yearAround(days.first) : days
    const last = Math.min(end, days.end)
    for (let day = Math.max(first, days.first); day < last; day++) {
      if (isMonthDay(day, pattern.monthDays, days) && isNth(day, pattern.weekdays, counted)) {
        found.push(day)
      }
    }
  }
  return found
}

function isAmong(one: number, wanted: readonly number[]): boolean {
  return wanted.length === 0 || wanted.includes(one)
}

function yearAround(day: number): Days {
  const year = yearOf(day)
  return { first: firstDayOfYear(year), end: firstDayOfYear(year + 1) }
}

function isMonthDay(day: number, wanted: readonly number[], { first, end }: Days): boolean {
  if (wanted.length === 0) return true
  return wanted.some((n) => day === (n > 0 ? Math.min(first + n, end) - 1 : end + n))
}

function isNth(day: number, wanted: readonly NthWeekday[], { first, end }: Days): boolean {
  if (wanted.length === 0) return true
  const weekday = weekdayOf(day)
  const nth = Math.floor((day - first) / 7) + 1
  const nthFromEnd = -Math.floor((end - 1 - day) / 7) - 1
  return wanted.some(
    (one) =>
      one.weekday === weekday && (one.nth === 0 || one.nth === nth || one.nth === nthFromEnd),
  )
}
