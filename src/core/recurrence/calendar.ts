// The calendar in whole numbers. Days count from 1970-01-01, months from January of the year 0,
// weekdays from Monday.

import { DAY } from '../time-units.ts'

/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 3

export function weekdayOf(day: number): number {
  return (((day + FIRST_WEEKDAY) % 7) + 7) % 7
}

/** The number of the week with this day, if weeks begin on the given weekday. */
export function weekOf(day: number, weekStart: number): number {
  return Math.floor((day + FIRST_WEEKDAY - weekStart) / 7)
}

export function firstDayOfWeek(week: number, weekStart: number): number {
  return week * 7 - FIRST_WEEKDAY + weekStart
}

/** The number of the week that is the first of the year: the one with 4 January in it. */
export function firstWeekOf(year: number, weekStart: number): number {
  return weekOf(firstDayOfYear(year) + 3, weekStart)
}

export function monthOf(day: number): number {
  const date = new Date(day * DAY)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export function firstDayOfMonth(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12) / DAY
}

export function yearOf(day: number): number {
  return new Date(day * DAY).getUTCFullYear()
}

export function firstDayOfYear(year: number): number {
  return firstDayOfMonth(year * 12)
}

/**
 * The index of the first number after `value`, in ascending numbers such as the dates of a rule.
 */
export function indexAfter(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) <= value) low = middle + 1
    else high = middle
  }
  return low
}

export function isIn(sorted: readonly number[], value: number): boolean {
  return sorted[indexAfter(sorted, value) - 1] === value
}
