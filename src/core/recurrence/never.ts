// Recognizes rules whose parts exclude each other, as far as this is possible without computing
// days.

import type { Frequency, Recurrence } from './rule.ts'
import { isElapsed } from './rule.ts'

const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const MOST_DAYS: Readonly<Record<Frequency, number>> = {
  YEARLY: 366,
  MONTHLY: 31,
  WEEKLY: 7,
  DAILY: 1,
  HOURLY: 1,
  MINUTELY: 1,
}

/** How many times a weekday can occur in the period. */
const MOST_WEEKS: Readonly<Record<Frequency, number>> = {
  ...MOST_DAYS,
  YEARLY: 53,
  MONTHLY: 5,
  WEEKLY: 1,
}

/** True only if the rule has no occurrence at all. */
export function excludesItself(recurrence: Recurrence): boolean {
  return hasNoDay(recurrence) || hasNoPosition(recurrence)
}

/** Days counted from the end of months that are too short. */
function hasNoDay({ pattern: { months, monthDays } }: Recurrence): boolean {
  const lengths = LONGEST_MONTHS.filter((_, at) => months.length === 0 || months.includes(at + 1))
  const longest = Math.max(...lengths)
  return monthDays.length > 0 && monthDays.every((n) => n < -longest)
}

/** Positions beyond the number of occurrences that a period may have. */
function hasNoPosition({ rule, pattern }: Recurrence): boolean {
  const { frequency, positions } = rule
  if (positions.length === 0 || isElapsed(rule)) return false
  const { weekdays, times } = pattern
  const ofWeekdays = weekdays.length === 0 ? Infinity : weekdays.length * MOST_WEEKS[frequency]
  const most = Math.min(MOST_DAYS[frequency], ofWeekdays) * times.length
  return positions.every((n) => Math.abs(n) > most)
}
