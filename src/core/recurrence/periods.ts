// The periods of a rule, and what falls into each of them. A period is a number, 0 that of the
// anchor: whoever wants to know what comes after an instant begins with its period, however long
// the rule has run.

import { DAY, HOUR, MINUTE } from '../time-units.ts'
import { dayOf, instantAt, isDayIn, type Wall, wallAt } from '../wall-clock.ts'
import {
  firstDayOfMonth,
  firstDayOfWeek,
  firstDayOfYear,
  monthOf,
  weekOf,
  yearOf,
} from './calendar.ts'
import { daysOf } from './pattern.ts'
import { isElapsed, type Recurrence, type Rule } from './rule.ts'

/** What a rule of calendar and clock is made of, before anybody asks where it ends. */
export type Series = Omit<Recurrence, 'end'>

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

/** Its occurrences in order, none of them twice; whoever knows of a later start may say so. */
export function* instantsIn(
  period: number,
  series: Series,
  from: Wall = series.anchor,
): Generator<number> {
  const { rule, anchor, pattern } = series
  const unit = unitOf(dayOf(anchor), rule) + period * strideOf(rule)
  const range = { first: firstDayOf(unit, rule), end: firstDayOf(unit + 1, rule) }
  const days = daysOf(range, rule, pattern)
  if (isElapsed(rule)) {
    for (const day of days) yield* elapsedOn(day, series)
  } else {
    const walls = picked(wallsOn(days, pattern.times), rule.positions)
    yield* instantsAt(walls, Math.max(from, anchor), series.zone)
  }
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

/** What of the elapsed time's steps lies between the first instants of a date and of the next. */
function* elapsedOn(day: number, { rule, anchor, zone }: Series): Generator<number> {
  const step = stepOf(rule)
  const origin = instantAt(anchor, zone)
  const steps = Math.ceil((instantAt(day * DAY, zone) - origin) / step)
  const end = instantAt((day + 1) * DAY, zone)
  for (let at = origin + Math.max(0, steps) * step; at < end; at += step) yield at
}

function wallsOn(days: readonly number[], times: readonly number[]): readonly Wall[] {
  const walls: Wall[] = []
  for (const day of days) for (const time of times) walls.push(day * DAY + time)
  return walls
}

/** Positions count what the period would hold if the anchor did not lie within it. */
function picked(walls: readonly Wall[], positions: readonly number[]): readonly Wall[] {
  if (positions.length === 0) return walls
  const wanted = new Set(positions.map((n) => (n > 0 ? n - 1 : walls.length + n)))
  return walls.filter((_, at) => wanted.has(at))
}

function* instantsAt(walls: readonly Wall[], from: Wall, zone: string): Generator<number> {
  let previous = Number.NaN
  for (const wall of walls) {
    if (wall < from) continue
    const instant = instantAt(wall, zone)
    const isLeapt = wallAt(instant, zone) !== wall && !isDayIn(zone, dayOf(wall))
    if (isLeapt || instant === previous) continue
    previous = instant
    yield instant
  }
}
