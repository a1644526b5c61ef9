// The occurrences of a recurrence: what its rule yields up to its end, without those that are taken
// away, and with those that are added.

import { DAY } from '../time-units.ts'
import { dayOf, instantAt, wallAt } from '../wall-clock.ts'
import { endOf } from './end.ts'
import { patternOf } from './pattern.ts'
import { instantsIn, lastPeriodOf, periodOf, type Series } from './periods.ts'
import type { Recurrence } from './rule.ts'

/** In days. What does not come within it never comes. */
const CENTURY = 36_525

/** A recurrence as somebody said it, before anything was made of it. */
export type Said = Omit<Series, 'pattern'>

export function recurrenceOf(said: Said): Recurrence {
  const series = { ...said, pattern: patternOf(said.rule, said.anchor) }
  return { ...series, end: endOf(series) }
}

/** The first strictly after. */
export function nextOccurrence(recurrence: Recurrence, after: Date): Date | undefined {
  const byRule = nextByRule(recurrence, after.getTime())
  const added = keptExtra(recurrence).find((instant) => instant > after.getTime())
  return dateOf(Math.min(byRule ?? Infinity, added ?? Infinity))
}

export function occurrencesAfter(
  recurrence: Recurrence,
  after: Date,
  most: number,
): readonly Date[] {
  const found: Date[] = []
  while (found.length < most) {
    const next = nextOccurrence(recurrence, found.at(-1) ?? after)
    if (next === undefined) break
    found.push(next)
  }
  return found
}

/** Undefined where it never ends; of one that never comes due as well. */
export function lastOccurrence(recurrence: Recurrence): Date | undefined {
  const { end } = recurrence
  const isEndless = end === undefined && nextByRule(recurrence, -Infinity) !== undefined
  if (isEndless) return undefined
  const byRule = end === undefined ? undefined : lastByRule(recurrence, end)
  return dateOf(Math.max(byRule ?? -Infinity, keptExtra(recurrence).at(-1) ?? -Infinity))
}

function nextByRule(recurrence: Recurrence, after: number): number | undefined {
  const { anchor, zone, end = Infinity, except } = recurrence
  const from = wallAt(Math.max(after, instantAt(anchor, zone) - 1), zone)
  const day = dayOf(from)
  const last = Math.min(periodOf(day + CENTURY, recurrence), lastPeriodOf(recurrence))
  for (let period = periodOf(day, recurrence); period <= last; period++) {
    for (const instant of instantsIn(period, recurrence, from)) {
      if (instant > end) return undefined
      if (instant > after && !except.includes(instant)) return instant
    }
  }
  return undefined
}

function lastByRule(recurrence: Recurrence, end: number): number | undefined {
  // A day later, since the clock may have shown more than at the end, before it was put back.
  const day = dayOf(wallAt(end, recurrence.zone) + DAY)
  const latest = Math.min(periodOf(day, recurrence), lastPeriodOf(recurrence))
  for (let period = latest; period >= 0; period--) {
    const found = [...instantsIn(period, recurrence)].findLast(
      (instant) => instant <= end && !recurrence.except.includes(instant),
    )
    if (found !== undefined) return found
  }
  return undefined
}

function keptExtra({ extra, except }: Recurrence): readonly number[] {
  return extra.filter((instant) => !except.includes(instant))
}

function dateOf(instant: number): Date | undefined {
  return Number.isFinite(instant) ? new Date(instant) : undefined
}
