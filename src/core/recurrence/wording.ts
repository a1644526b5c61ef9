// Describes a recurrence in English: "every month on the 31st (or the last day) at 09:00,
// America/New_York, 12 times".

import type { Wall } from '../wall-clock.ts'
import { firstDayOfMonth } from './calendar.ts'
import { isCountedInYear } from './pattern.ts'
import {
  type DayPattern,
  type Frequency,
  isElapsed,
  type NthWeekday,
  type Recurrence,
  type Rule,
} from './rule.ts'
import { timeOfDayOf, wallOf, wallText } from './times.ts'

const UNITS: Readonly<Record<Frequency, string>> = {
  YEARLY: 'year',
  MONTHLY: 'month',
  WEEKLY: 'week',
  DAILY: 'day',
  HOURLY: 'hour',
  MINUTELY: 'minute',
}

const WEEKDAY_NAMES = [
  ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
]

const MONTH_NAMES = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]

/** A longer list is shown as a number. */
const MOST_TIMES = 12

/** Any year with a short February. */
const COMMON_YEAR = 2001

export function ruleText(recurrence: Recurrence): string {
  const { rule, zone, except, extra } = recurrence
  return [
    `${oftenText(rule)}${daysText(recurrence)}${timesText(recurrence)}`,
    ...positionsText(rule),
    zone,
    ...endText(recurrence),
    ...(except.length === 0 ? [] : [`without ${datesText(except)}`]),
    ...(extra.length === 0 ? [] : [`and on ${datesText(extra)} more`]),
  ].join(', ')
}

function oftenText({ interval, frequency }: Rule): string {
  const unit = UNITS[frequency]
  return interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`
}

function daysText({ rule, pattern }: Recurrence): string {
  const { weeks, yearDays, monthDays, weekdays } = pattern
  if (weeks.length + yearDays.length > 0) return daysOfYearText(pattern)
  const months = monthsText(rule, pattern)
  const isAnyWeekday = weekdays.length === 0
  if (monthDays.length === 0) {
    return isAnyWeekday ? months : ` on ${weekdaysText(weekdays, 'and')}${months}`
  }
  const days = ` on ${monthDaysText(pattern)}${months}`
  return isAnyWeekday ? days : `${days} if that is ${weekdaysText(weekdays, 'or')}`
}

/** The first part that names days, and the others as what limits them. */
function daysOfYearText(pattern: DayPattern): string {
  const { months, weeks, yearDays, monthDays, weekdays } = pattern
  const ofYear = listed(yearDays.map((n) => `the ${nthText(n)} day`))
  const ofWeeks = listed(weeks.map((n) => (n > 0 ? `week ${n}` : `the ${nthText(n)} week`)))
  const jointAfter = (...before: readonly (readonly unknown[])[]) =>
    before.every((part) => part.length === 0) ? 'and' : 'or'
  const [days = '', ...limits] = [
    ...(yearDays.length > 0 ? [`${ofYear} of the year`] : []),
    ...(weekdays.length > 0 ? [weekdaysText(weekdays, jointAfter(yearDays))] : []),
    ...(monthDays.length > 0 ? [monthDaysText(pattern, jointAfter(yearDays, weekdays))] : []),
  ]
  const spans = [ofWeeks, listed(monthNames(months))].filter((text) => text !== '')
  const within = spans.map((span) => ` in ${span}`).join('')
  return ` on ${days}${within}${limits.map((limit) => ` if that is ${limit}`).join('')}`
}

/** The months that the days are counted in or limited to. */
function monthsText(rule: Rule, { months, monthDays, weekdays }: DayPattern): string {
  const isOrdinal = weekdays.some(({ nth }) => nth !== 0)
  if (months.length > 0) {
    return `${monthDays.length > 0 || isOrdinal ? ' of' : ' in'} ${listed(monthNames(months))}`
  }
  if (rule.frequency !== 'MONTHLY' && monthDays.length > 0) return ' of every month'
  return isOrdinal && isCountedInYear(rule) ? ' of the year' : ''
}

function monthNames(months: readonly number[]): readonly string[] {
  return months.map((month) => MONTH_NAMES[month - 1] ?? '')
}

function monthDaysText({ monthDays, months }: DayPattern, joint: 'and' | 'or' = 'and'): string {
  const texts = listed(
    monthDays.map((n) => `the ${nthText(n)}${n < 0 ? ' day' : ''}`),
    joint,
  )
  const isLacking = monthDays.some((n) => n > shortestOf(months))
  return isLacking ? `${texts} (or the last day)` : texts
}

function shortestOf(months: readonly number[]): number {
  const all = months.length > 0 ? months : MONTH_NAMES.map((_, at) => at + 1)
  const first = all.map((month) => COMMON_YEAR * 12 + month - 1)
  return Math.min(...first.map((month) => firstDayOfMonth(month + 1) - firstDayOfMonth(month)))
}

function weekdaysText(weekdays: readonly NthWeekday[], joint: 'and' | 'or'): string {
  const texts = weekdays.map(({ nth, weekday }) => {
    const name = WEEKDAY_NAMES[weekday] ?? ''
    return nth === 0 ? name : `the ${nthText(nth)} ${name}`
  })
  return listed(texts, joint)
}

function timesText({ rule, pattern, anchor }: Recurrence): string {
  if (isElapsed(rule)) return `${minutesText(rule)}, counted from ${wallInWords(anchor)}`
  const texts = pattern.times.map(clockText)
  return texts.length > MOST_TIMES
    ? ` at ${texts.length} times from ${texts[0]} to ${texts.at(-1)}`
    : ` at ${listed(texts)}`
}

function minutesText({ minutes }: Rule): string {
  if (minutes.length === 0) return ''
  return ` at minute${minutes.length === 1 ? '' : 's'} ${listed(minutes.map(String))}`
}

function positionsText({ positions }: Rule): readonly string[] {
  return positions.length === 0 ? [] : [`only the ${listed(positions.map(nthText))} of these`]
}

function endText({ rule: { count, until }, zone }: Recurrence): readonly string[] {
  if (count !== undefined) return [count === 1 ? 'once' : `${count} times`]
  if (until === undefined) return []
  const wall = wallOf(until, zone, 0)
  return [`until ${until.kind === 'date' ? dateInWords(wall) : wallInWords(wall)}`]
}

function datesText(dates: readonly unknown[]): string {
  return dates.length === 1 ? '1 date' : `${dates.length} dates`
}

function wallInWords(wall: Wall): string {
  return `${dateInWords(wall)} at ${clockText(timeOfDayOf(wall))}`
}

function dateInWords(wall: Wall): string {
  const date = new Date(wall)
  return `${date.getUTCDate()} ${MONTH_NAMES[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** HH:MM, with seconds if there are any. */
function clockText(time: number): string {
  return wallText(time).slice('1970-01-01T'.length).replace(/:00$/, '')
}

/** 1st, 22nd; from the end: the last, the 2nd to last. */
function nthText(n: number): string {
  if (n === -1) return 'last'
  if (n < 0) return `${nthText(-n)} to last`
  const suffix = ['th', 'st', 'nd', 'rd'][n % 10] ?? 'th'
  return `${n}${n % 100 >= 11 && n % 100 <= 13 ? 'th' : suffix}`
}

function listed(texts: readonly string[], joint = 'and'): string {
  return texts.length < 2
    ? texts.join('')
    : `${texts.slice(0, -1).join(', ')} ${joint} ${texts.at(-1)}`
}
