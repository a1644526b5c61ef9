// The periods of a rule, and what falls into each of them. A period is a number, 0 that of the
// anchor: whoever wants to know what comes after an instant begins with its period, however long
// the rule has run.

import { DAY, HOUR, MINUTE } from '../time-units.ts'
import { dayOf, instantAt, isDayIn, type Wall, wallAt } from '../wall-clock.ts'
import {
  firstDayOfMonth,
  firstDayOfWeek,
  firstDayOfYear,
  isIn,
  monthOf,
  weekOf,
  yearOf,
} from './calendar.ts'
import { ascending } from './parts.ts'
import { matchingDays } from './pattern.ts'
import { isElapsed, type Recurrence, type Rule } from './rule.ts'
import type { Spend } from './steps.ts'

/** What a rule of calendar and clock is made of, before anybody asks where it ends. */
export type Series = Omit<Recurrence, 'end'>

/** In days. What does not come within it never comes. */
const CENTURY = 36_525

/** Local times of one day, or such as BYSETPOS picks; of elapsed time the day. */
type Group = readonly number[]

/** Nothing comes due later: it is a century after the last anchor that is taken. */
const LAST_DAY = Date.UTC(2199, 11, 31) / DAY

/** The period that holds the day; before the anchor there is none, so it is its own then. */
export function periodOf(day: number, { rule, anchor }: Series): number {
  const units = unitOf(day, rule) - unitOf(dayOf(anchor), rule)
  return Math.max(0, Math.floor(units / strideOf(rule)))
}

export function lastPeriodOf(series: Series): number {
  return periodOf(LAST_DAY, series)
}

/** Nothing of a later one comes before the end. */
export function latestPeriodOf(recurrence: Recurrence): number {
  const { end, zone } = recurrence
  const last = lastPeriodOf(recurrence)
  // A day later, since the clock may have shown more than at the end, before it was put back.
  return end === undefined
    ? last
    : Math.min(periodOf(dayOf(wallAt(end, zone) + DAY), recurrence), last)
}

/** The last in which is sought what comes after the day. */
export function furthestPeriodFrom(day: number, recurrence: Recurrence): number {
  return Math.min(periodOf(day + CENTURY, recurrence), latestPeriodOf(recurrence))
}

/** Its occurrences in order, none of them twice; whoever knows of a later start may say so. */
export function* instantsIn(
  period: number,
  series: Series,
  spend: Spend,
  from: Wall = series.anchor,
): Generator<number> {
  let previous = Number.NaN
  for (const day of groupsIn(period, series, spend)) {
    if (!isElapsed(series.rule) && (day.at(-1) ?? -Infinity) < from) continue
    for (const instant of instantsOf(day, series, from)) {
      if (instant !== previous) yield instant
      previous = instant
    }
  }
}

/** Of those up to that instant the last that is kept. */
export function lastIn(
  period: number,
  series: Series,
  spend: Spend,
  until: number,
): number | undefined {
  for (const day of [...groupsIn(period, series, spend)].reverse()) {
    const last = [...instantsOf(day, series)].findLast(
      (instant) => instant <= until && !isIn(series.except, instant),
    )
    if (last !== undefined) return last
  }
  return undefined
}

/** What the period holds, in order: day by day, or all at once that BYSETPOS picks of it. */
export function* groupsIn(period: number, series: Series, spend: Spend): Generator<Group> {
  const { rule, anchor, pattern } = series
  const unit = unitOf(dayOf(anchor), rule) + period * strideOf(rule)
  const range = { first: firstDayOf(unit, rule), end: firstDayOf(unit + 1, rule) }
  const days = matchingDays(range, rule, pattern, spend)
  spend(1 + rule.positions.length)
  if (rule.positions.length > 0) yield picked(days, pattern.times, rule.positions)
  else for (const day of days) yield isElapsed(rule) ? [day] : wallsOn(day, pattern.times)
}

/** Between two that count elapsed time, in milliseconds. */
export function stepOf({ frequency, interval }: Rule): number {
  return interval * (frequency === 'HOURLY' ? HOUR : MINUTE)
}

/** Of time that elapses each local date is a period, whether its steps are shorter or longer. */
function strideOf(rule: Rule): number {
  return isElapsed(rule) ? 1 : rule.interval
}

function unitOf(day: number, { frequency, weekStart }: Rule): number {
  switch (frequency) {
    case 'YEARLY':
      return yearOf(day)
    case 'MONTHLY':
      return monthOf(day)
    case 'WEEKLY':
      return weekOf(day, weekStart)
    case 'DAILY':
    case 'HOURLY':
    case 'MINUTELY':
      return day
  }
}

function firstDayOf(unit: number, { frequency, weekStart }: Rule): number {
  switch (frequency) {
    case 'YEARLY':
      return firstDayOfYear(unit)
    case 'MONTHLY':
      return firstDayOfMonth(unit)
    case 'WEEKLY':
      return firstDayOfWeek(unit, weekStart)
    case 'DAILY':
    case 'HOURLY':
    case 'MINUTELY':
      return unit
  }
}

function* instantsOf(group: Group, series: Series, from?: Wall): Generator<number> {
  if (!isElapsed(series.rule)) yield* instantsAt(group, series, from)
  else for (const day of group) yield* elapsedOn(day, series)
}

/** What of the elapsed time's steps lies between the first instants of a date and of the next. */
function* elapsedOn(day: number, { rule, origin, zone }: Series): Generator<number> {
  const step = stepOf(rule)
  const steps = Math.ceil((instantAt(day * DAY, zone) - origin) / step)
  const end = instantAt((day + 1) * DAY, zone)
  for (let at = origin + Math.max(0, steps) * step; at < end; at += step) yield at
}

function wallsOn(day: number, times: readonly number[]): readonly Wall[] {
  return times.map((time) => day * DAY + time)
}

/** Positions count what the period would hold if the anchor did not lie within it. */
function picked(
  days: readonly number[],
  times: readonly number[],
  positions: readonly number[],
): readonly Wall[] {
  const count = days.length * times.length
  const places = ascending(positions.map((n) => (n > 0 ? n - 1 : count + n)))
  return places.flatMap((at) => {
    const day = days[Math.floor(at / times.length)]
    const time = times[at % times.length]
    return day === undefined || time === undefined ? [] : [day * DAY + time]
  })
}

/** A time that had passed once when the series began, and comes again, is meant that second time. */
function* instantsAt(walls: readonly Wall[], series: Series, from = series.anchor) {
  const { zone, anchor, origin } = series
  for (const wall of walls) {
    if (wall < Math.max(from, anchor)) continue
    const first = instantAt(wall, zone)
    const isLeapt = wallAt(first, zone) !== wall && !isDayIn(zone, dayOf(wall))
    if (!isLeapt) yield first < origin ? origin + (wall - anchor) : first
  }
}
