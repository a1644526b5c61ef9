// The occurrences of a recurrence: those of its rule up to its end, without EXDATE and with RDATE.

import { DAY } from '../time-units.ts'
import { dayOf, instantAt } from '../wall-clock.ts'
import { indexAfter, isIn } from './calendar.ts'
import { elapsedAt, originBefore } from './elapsed.ts'
import { isEveryDay, patternOf } from './pattern.ts'
import {
  furthestPeriodFrom,
  instantsIn,
  lastIn,
  lastPeriodOf,
  latestPeriodOf,
  periodOf,
  type Series,
  wallAfter,
} from './periods.ts'
import { isElapsed, type Recurrence } from './rule.ts'
import { budgetOf, COUNT_STEPS, MOST_COUNT, NEXT_STEPS, type Spend, tooComplex } from './steps.ts'
import { instantOf } from './times.ts'

/** A recurrence as the client described it, before anything is computed. */
export type SeriesInput = Omit<Series, 'pattern'>

/** A caller that knows the last occurrence saves counting it again. */
export function recurrenceOf(input: SeriesInput, last?: number): Recurrence {
  const series = { ...input, pattern: patternOf(input) }
  const isOfRule = last !== undefined && input.rule.count !== undefined && !isIn(input.extra, last)
  return { ...series, end: isOfRule ? last : endOf(series) }
}

/** The first one strictly after the instant. */
export function nextOccurrence(
  recurrence: Recurrence,
  after: Date,
  spend?: Spend,
): Date | undefined {
  return occurrencesSince(recurrence, after, spend).next().value
}

/** Those strictly after the instant, in order. Without a budget each is searched with its own. */
export function* occurrencesSince(
  recurrence: Recurrence,
  after: Date,
  spend?: Spend,
): Generator<Date, undefined> {
  const byRule = occurrencesByRule(recurrence, after.getTime(), spend)
  let ruled = byRule.next().value ?? Infinity
  let at = after.getTime()
  for (;;) {
    at = Math.min(ruled, nextAdded(recurrence, at) ?? Infinity)
    if (at === Infinity) return undefined
    yield new Date(at)
    if (at === ruled) ruled = byRule.next().value ?? Infinity
  }
}

/**
 * The occurrence on that day of the zone, if it has exactly one. On the day of the start, times
 * before the start count too, and so do those of EXDATE: a rule of several times a day stays one.
 */
export function onlyOccurrenceOn(recurrence: Recurrence, day: number): Date | undefined {
  const { rule, anchor, zone, except } = recurrence
  const begins = instantAt(day * DAY, zone)
  const ends = instantAt((day + 1) * DAY, zone)
  const origin = isElapsed(rule) ? originBefore(recurrence, begins) : begins
  const whole = dayOf(anchor) === day ? { anchor: day * DAY, origin } : {}
  const all = { ...recurrence, ...whole, except: [] }
  const found = occurrencesAfter(all, new Date(begins - 1), 2)
  const [only, second] = found.filter((occurrence) => occurrence.getTime() < ends)
  if (only === undefined || second !== undefined) return undefined
  return isIn(except, only.getTime()) ? undefined : only
}

export function occurrencesAfter(
  recurrence: Recurrence,
  after: Date,
  most: number,
): readonly Date[] {
  const all = occurrencesSince(recurrence, after)
  const found: Date[] = []
  while (found.length < most) {
    const next = all.next().value
    if (next === undefined) break
    found.push(next)
  }
  return found
}

/** Undefined if the recurrence never ends, and also if it has no occurrence. */
export function lastOccurrence(recurrence: Recurrence): Date | undefined {
  const { end } = recurrence
  const isEndless =
    end === undefined && occurrencesByRule(recurrence, -Infinity).next().value !== undefined
  if (isEndless) return undefined
  const byRule = end === undefined ? undefined : lastByRule(recurrence, end)
  return dateOf(Math.max(byRule ?? -Infinity, lastAdded(recurrence) ?? -Infinity))
}

function* occurrencesByRule(
  recurrence: Recurrence,
  since: number,
  given?: Spend,
): Generator<number, undefined> {
  const { end = Infinity, except } = recurrence
  let after = since
  let budget = given ?? budgetOf(NEXT_STEPS)
  const spend: Spend = (steps) => budget(steps)
  const from = wallAfter(after, recurrence)
  let last = furthestPeriodFrom(dayOf(from), recurrence)
  for (let period = periodOf(dayOf(from), recurrence); period <= last; period++) {
    for (const instant of instantsIn(period, recurrence, spend, from)) {
      if (instant > end) return undefined
      if (instant <= after || isIn(except, instant)) continue
      yield instant
      after = instant
      budget = given ?? budgetOf(NEXT_STEPS)
      last = furthestPeriodFrom(dayOf(wallAfter(after, recurrence)), recurrence)
    }
  }
  return undefined
}

function lastByRule(recurrence: Recurrence, end: number): number | undefined {
  const spend = budgetOf(NEXT_STEPS)
  for (let period = latestPeriodOf(recurrence); period >= 0; period--) {
    const found = lastIn(period, recurrence, spend, end)
    if (found !== undefined) return found
  }
  return undefined
}

function nextAdded({ extra, except }: Recurrence, after: number): number | undefined {
  for (let at = indexAfter(extra, after); at < extra.length; at++) {
    const instant = extra[at]
    if (instant !== undefined && !isIn(except, instant)) return instant
  }
  return undefined
}

function lastAdded({ extra, except }: Recurrence): number | undefined {
  return extra.findLast((instant) => !isIn(except, instant))
}

function dateOf(instant: number): Date | undefined {
  return Number.isFinite(instant) ? new Date(instant) : undefined
}

/**
 * The last instant that may be an occurrence, where COUNT or UNTIL ends the rule; undefined where
 * nothing ends it.
 */
function endOf(series: Series): number | undefined {
  const { count, until } = series.rule
  if (count !== undefined) return endOfCount(count, series)
  if (until?.kind === 'date') return instantAt((until.day + 1) * DAY, series.zone) - 1
  return until && instantOf(until, series.zone, 0)
}

function endOfCount(count: number, series: Series): number {
  const { rule, origin, pattern } = series
  if (isElapsed(rule) && isEveryDay(pattern)) return elapsedAt(series, count)
  // Only a rule that was accepted before there were limits has a larger count.
  if (count > MOST_COUNT) throw tooComplex(`must have COUNT from 1 to ${MOST_COUNT}`)
  const last = lastPeriodOf(series)
  const spend = budgetOf(COUNT_STEPS)
  let counted = 0
  let end = origin - 1
  for (let period = 0; period <= last; period++) {
    for (const instant of instantsIn(period, series, spend)) {
      if (instant > end) counted++
      end = instant
      if (counted === count) return end
    }
  }
  return end
}
