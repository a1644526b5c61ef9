// The days and the times of day that a rule selects. If a month lacks a day of the month, its last
// day is used. If it lacks a day counted from the end, or an ordinal weekday, no day is used, and
// none if a year lacks the day or the week.

import { HOUR, MINUTE } from '../time-units.ts'
import { dayOf, type Wall, wallAt } from '../wall-clock.ts'
import {
  firstDayOfMonth,
  firstDayOfWeek,
  firstDayOfYear,
  firstWeekOf,
  monthOf,
  weekdayOf,
  yearOf,
} from './calendar.ts'
import { offsetsOf } from './elapsed.ts'
import { ascending } from './parts.ts'
import {
  type DayPattern,
  isElapsed,
  type NthWeekday,
  type Pattern,
  type Recurrence,
  type Rule,
} from './rule.ts'
import type { Spend } from './steps.ts'
import { timeOfDayOf } from './times.ts'

/** The days from the first up to the end, which is not included. */
interface Days {
  readonly first: number
  readonly end: number
}

type PatternInput = Pick<Recurrence, 'rule' | 'anchor' | 'origin' | 'zone'>

/** The rule's own parts; missing parts come from the anchor. */
export function patternOf({ rule, anchor, origin, zone }: PatternInput): Pattern {
  const times = isElapsed(rule) ? offsetsOf(rule, wallAt(origin, zone)) : timesOf(rule, anchor)
  return { ...dayPatternOf(rule, anchor), times }
}

/** The matching days, in order. */
export function matchingDays(
  days: Days,
  rule: Rule,
  pattern: DayPattern,
  spend: Spend,
): readonly number[] {
  if (!isEveryDay(pattern)) return matchingOf(days, rule, pattern, spend)
  spend(days.end - days.first)
  return allOf(days)
}

export function isEveryDay(pattern: DayPattern): boolean {
  const { months, weeks, yearDays, monthDays, weekdays } = pattern
  return [months, weeks, yearDays, monthDays, weekdays].every((part) => part.length === 0)
}

/** In a yearly rule with months, ordinals count within the month. */
export function isCountedInYear({ frequency, months }: Rule): boolean {
  return frequency === 'YEARLY' && months.length === 0
}

function dayPatternOf(rule: Rule, anchor: Wall): DayPattern {
  const { frequency, months, weeks, yearDays, monthDays, weekdays } = rule
  const own = { months, weeks, yearDays, monthDays, weekdays }
  if (yearDays.length + monthDays.length + weekdays.length > 0) return own
  const date = new Date(anchor)
  const ofMonth = { ...own, monthDays: [date.getUTCDate()] }
  const ofWeek = { ...own, weekdays: [{ weekday: weekdayOf(dayOf(anchor)), nth: 0 }] }
  switch (frequency) {
    case 'YEARLY':
      if (weeks.length > 0) return ofWeek
      return months.length > 0 ? ofMonth : { ...ofMonth, months: [date.getUTCMonth() + 1] }
    case 'MONTHLY':
      return ofMonth
    case 'WEEKLY':
      return ofWeek
    case 'DAILY':
    case 'HOURLY':
    case 'MINUTELY':
      return own
  }
}

/** The seconds always come from the anchor. */
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

/** Month by month, because most of a year does not match: only days that may match are checked. */
function matchingOf(days: Days, rule: Rule, pattern: DayPattern, spend: Spend): readonly number[] {
  const { months, weeks, yearDays, monthDays, weekdays } = pattern
  if (weeks.length + yearDays.length > 0) return matchingInYear(days, rule, pattern, spend)
  if (isCountedInYear(rule) && monthDays.length === 0)
    return weekdaysIn(days, days, weekdays, spend)
  const found: number[] = []
  for (let month = monthOf(days.first); firstDayOfMonth(month) < days.end; month++) {
    spend(1)
    if (!isAmong((month % 12) + 1, months)) continue
    const whole = { first: firstDayOfMonth(month), end: firstDayOfMonth(month + 1) }
    const within = {
      first: Math.max(days.first, whole.first),
      end: Math.min(days.end, whole.end),
    }
    const counted = isCountedInYear(rule) ? yearAround(whole.first) : whole
    found.push(...inMonth(within, whole, counted, pattern, spend))
  }
  return found
}

/** The days that the year's numbers name. Every other part only limits them. */
function matchingInYear(
  days: Days,
  rule: Rule,
  { months, weeks, yearDays, monthDays, weekdays }: DayPattern,
  spend: Spend,
): readonly number[] {
  const whole = yearAround(days.first)
  const ofWeeks = new Set(daysOfWeeks(yearOf(days.first), weeks, rule.weekStart))
  const ofYear = yearDays.map((n) => yearDayOf(n, whole))
  const named = yearDays.length === 0 ? [...ofWeeks] : ofYear
  const found = named.filter(
    (day) => isWithin(day, days) && (weeks.length === 0 || ofWeeks.has(day)),
  )
  const limits = Math.max(1, monthDays.length + weekdays.length)
  spend(yearDays.length + ofWeeks.size + found.length * limits)
  return ascending(found).filter((day) => {
    const month = monthOf(day)
    const ofMonth = { first: firstDayOfMonth(month), end: firstDayOfMonth(month + 1) }
    const isOfMonth = (n: number) => monthDayOf(n, ofMonth) === day
    return (
      isAmong((month % 12) + 1, months) &&
      (monthDays.length === 0 || monthDays.some(isOfMonth)) &&
      isNth(day, weekdays, isCountedInYear(rule) ? whole : ofMonth)
    )
  })
}

/** A day outside the year does not exist, such as the 366th of most years. */
function yearDayOf(n: number, { first, end }: Days): number {
  return n > 0 ? first + n - 1 : end + n
}

/** A year begins and ends with parts of weeks, which may be counted to the year beside it. */
function daysOfWeeks(year: number, weeks: readonly number[], weekStart: number): readonly number[] {
  const years = [year - 1, year, year + 1]
  return years.flatMap((counted) => {
    const first = firstWeekOf(counted, weekStart)
    const end = firstWeekOf(counted + 1, weekStart)
    const named = weeks.map((n) => (n > 0 ? first + n - 1 : end + n))
    return named
      .filter((week) => week >= first && week < end)
      .flatMap((week) => allOf(daysOfWeek(week, weekStart)))
  })
}

function daysOfWeek(week: number, weekStart: number): Days {
  return { first: firstDayOfWeek(week, weekStart), end: firstDayOfWeek(week + 1, weekStart) }
}

function inMonth(
  within: Days,
  whole: Days,
  counted: Days,
  { monthDays, weekdays }: DayPattern,
  spend: Spend,
): readonly number[] {
  if (monthDays.length === 0) {
    if (weekdays.length > 0) return weekdaysIn(within, counted, weekdays, spend)
    spend(within.end - within.first)
    return allOf(within)
  }
  spend(monthDays.length * Math.max(1, weekdays.length))
  return ascending(monthDays.map((n) => monthDayOf(n, whole))).filter(
    (day) => isWithin(day, within) && isNth(day, weekdays, counted),
  )
}

function isAmong(one: number, wanted: readonly number[]): boolean {
  return wanted.length === 0 || wanted.includes(one)
}

function isWithin(day: number, { first, end }: Days): boolean {
  return day >= first && day < end
}

function yearAround(day: number): Days {
  const year = yearOf(day)
  return { first: firstDayOfYear(year), end: firstDayOfYear(year + 1) }
}

function monthDayOf(n: number, { first, end }: Days): number {
  return n > 0 ? Math.min(first + n, end) - 1 : end + n
}

/** The weekdays within one span, with ordinals that count in the other span. */
function weekdaysIn(
  within: Days,
  counted: Days,
  wanted: readonly NthWeekday[],
  spend: Spend,
): readonly number[] {
  const found: number[] = []
  for (const { weekday, nth } of wanted) {
    if (nth === 0) {
      found.push(...everyWeek(weekday, within))
    } else {
      // A day outside the counted span does not exist, such as the fifth Monday of a month with
      // four.
      const day = nthOf(weekday, nth, counted)
      if (isWithin(day, counted)) found.push(day)
    }
  }
  spend(wanted.length + found.length)
  return ascending(found.filter((day) => isWithin(day, within)))
}

function everyWeek(weekday: number, { first, end }: Days): readonly number[] {
  const days: number[] = []
  for (let day = onOrAfter(first, weekday); day < end; day += 7) days.push(day)
  return days
}

/** The result may lie outside the span. */
function nthOf(weekday: number, nth: number, { first, end }: Days): number {
  return nth > 0
    ? onOrAfter(first, weekday) + (nth - 1) * 7
    : onOrAfter(end - 7, weekday) + (nth + 1) * 7
}

function onOrAfter(day: number, weekday: number): number {
  return day + ((weekday - weekdayOf(day) + 7) % 7)
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
