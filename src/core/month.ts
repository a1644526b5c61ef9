// Calendar months as YYYY-MM, and their days as YYYY-MM-DD.

import { DAY } from './time-units.ts'
import { dateOfDay, dayIn, dayOfDate } from './wall-clock.ts'

/** From 1970 to 8999, as a sandbox clock can be set. */
const MONTH = /^(19[7-9]\d|[2-8]\d{3})-(0[1-9]|1[0-2])$/

const NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

export function isMonth(text: string): boolean {
  return MONTH.test(text)
}

export function dateIn(zone: string, instant: Date): string {
  return dateOfDay(dayIn(zone, instant))
}

export function monthOfDate(date: string): string {
  return date.slice(0, 7)
}

/** The month that many months later, or earlier for a negative number. */
export function monthPlus(month: string, months: number): string {
  const [year, number] = partsOf(month)
  return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7)
}

export function nextDay(date: string): string {
  return dateOfDay(dayOfDate(date) + 1)
}

export function daysOfMonth(month: string): readonly string[] {
  const first = dayOfDate(`${month}-01`)
  const next = dayOfDate(`${monthPlus(month, 1)}-01`)
  return Array.from({ length: next - first }, (_, place) => dateOfDay(first + place))
}

/** Weeks from Sunday to Saturday, as in American calendars. Days of other months are undefined. */
export function weeksOf(month: string): readonly (readonly (string | undefined)[])[] {
  const days = daysOfMonth(month)
  const before = new Date(`${month}-01T00:00:00Z`).getUTCDay()
  const cells = [...Array<undefined>(before).fill(undefined), ...days]
  const weeks = Math.ceil(cells.length / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, place) => cells[week * 7 + place]),
  )
}

/** `November 2026`. */
export function monthText(month: string): string {
  const [year, number] = partsOf(month)
  return `${NAMES[number - 1]} ${year}`
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/** `Fri, November 20`. */
export function dayText(date: string): string {
  const [, number] = partsOf(monthOfDate(date))
  const weekday = WEEKDAYS[new Date(dayOfDate(date) * DAY).getUTCDay()]
  return `${weekday}, ${NAMES[number - 1]} ${Number(date.slice(8))}`
}

function partsOf(month: string): readonly [year: number, number: number] {
  return [Number(month.slice(0, 4)), Number(month.slice(5))]
}
