// The periods of a rule and the occurrences in each of them. Periods are numbered, and 0 is the
// period of the anchor. So the search for an occurrence after an instant starts in its period,
// however old the rule is.

import { DAY } from '../time-units.ts'
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
import { elapsedBetween } from './elapsed.ts'
import { ascending } from './parts.ts'
import { matchingDays } from './pattern.ts'
import { isElapsed, type Recurrence, type Rule } from './rule.ts'
import type { Spend } from './steps.ts'

/** A rule on its calendar and clock, without its end. */
export type Series = Omit<Recurrence, 'end'>

/** In days. If a rule has no occurrence within a century, it has none. */
const CENTURY = 36_525

/** The local times of one day, or those that BYSETPOS selects. For elapsed time, the day. */
type Group = readonly number[]

/** Nothing comes due later: this is a century after the latest anchor that is accepted. */
export const LAST_DAY = Date.UTC(2199, 11, 31) / DAY

/** The period that contains the day; 0, the anchor's own, for a day before the anchor. */
export function periodOf(day: number, { rule, anchor }: Series): number {
  const units = unitOf(day, rule) - unitOf(dayOf(anchor), rule)
  return Math.max(0, Math.floor(units / strideOf(rule)))
}

export function lastPeriodOf(series: Series): number {
  return periodOf(LAST_DAY, series)
}

/** No later period has an occurrence before the end. */
export function latestPeriodOf(recurrence: Recurrence): number {
  const { end, zone } = recurrence
  const last = lastPeriodOf(recurrence)
  // One day more, because the clock may have been put back after the end.
  return end === undefined
    ? last
    : Math.min(periodOf(dayOf(wallAt(end, zone) + DAY), recurrence), last)
}

/**
 * The local time from which to search for an occurrence after the instant. Just before a start in
 * an hour that comes twice, the clock may show a later time than at the start.
 */
export function wallAfter(after: number, { anchor, origin, zone }: Series): Wall {
  return after < origin ? anchor : wallAt(after, zone)
}

/** The last period to search for an occurrence after the day. */
export function furthestPeriodFrom(day: number, recurrence: Recurrence): number {
  return Math.min(periodOf(day + CENTURY, recurrence), latestPeriodOf(recurrence))
}

/** The period's occurrences in order, each once. `from` may name a later start. */
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

/** The last occurrence up to the instant that EXDATE does not exclude. */
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

/** The contents of the period, in order: day by day, or all at once with BYSETPOS. */
export function* groupsIn(period: number, series: Series, spend: Spend): Generator<Group> {
  const { rule, anchor, pattern } = series
  const unit = unitOf(dayOf(anchor), rule) + period * strideOf(rule)
  const range = { first: firstDayOf(unit, rule), end: firstDayOf(unit + 1, rule) }
  const days = matchingDays(range, rule, pattern, spend)
  spend(1 + rule.positions.length)
  if (rule.positions.length > 0) yield picked(days, pattern.times, rule.positions)
  else for (const day of days) yield isElapsed(rule) ? [day] : wallsOn(day, pattern.times)
}

/**
 * For elapsed time, each local date is a period, whether its steps are shorter or longer than a
 * day.
 */
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

function* instantsOf(group: Group, series: Series, from = series.anchor): Generator<number> {
  if (!isElapsed(series.rule)) yield* instantsAt(group, series, from)
  else for (const day of group) yield* elapsedOn(day, series)
}

/** The occurrences between the first instants of this date and of the next. */
function elapsedOn(day: number, series: Series): Generator<number> {
  const { zone } = series
  return elapsedBetween(series, instantAt(day * DAY, zone), instantAt((day + 1) * DAY, zone))
}

function wallsOn(day: number, times: readonly number[]): readonly Wall[] {
  return times.map((time) => day * DAY + time)
}

/** Positions count as if the whole period came after the anchor. */
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

/**
 * If the anchor is the second of two equal local times, that time's second occurrence is used on
 * its day.
 */
function* instantsAt(walls: readonly Wall[], series: Series, from: Wall) {
  const { zone, anchor, origin } = series
  for (const wall of walls) {
    if (wall < Math.max(from, anchor)) continue
    const first = instantAt(wall, zone)
    const isLeapt = wallAt(first, zone) !== wall && !isDayIn(zone, dayOf(wall))
    if (!isLeapt) yield first < origin ? origin + (wall - anchor) : first
  }
}
