// Splits a span of time into whole days and months in UTC, for which tallies exist, and the partial
// days at its ends.

import { DAY } from './time-units.ts'

/** The end is not included. Undefined means no limit. */
export interface Span {
  readonly from: Date | undefined
  readonly before: Date | undefined
}

/** A part of a day to add to the whole days, or to subtract from them. */
export interface Edge {
  readonly from: Date
  readonly before: Date
  readonly sign: 1 | -1
}

/** Rounds to the nearest midnights, so that an edge is at most half a day. */
export function wholeDays({ from, before }: Span): {
  readonly days: Span
  readonly edges: readonly Edge[]
} {
  const days = { from: from && nearestMidnight(from), before: before && nearestMidnight(before) }
  return {
    days,
    edges: [
      ...(from && days.from ? edgeBetween(from, days.from) : []),
      ...(before && days.before ? edgeBetween(days.before, before) : []),
    ],
  }
}

/** Splits whole days into whole months and the days before and after them. */
export function wholeMonths(days: Span): {
  readonly months: Span | undefined
  readonly rest: readonly Span[]
} {
  const first = days.from && monthAfter(new Date(days.from.getTime() - 1))
  const end = days.before && monthOf(days.before)
  if (first && end && first >= end) return { months: undefined, rest: [days] }
  return {
    months: { from: first, before: end },
    rest: [
      ...(days.from && first && days.from < first ? [{ from: days.from, before: first }] : []),
      ...(days.before && end && end < days.before ? [{ from: end, before: days.before }] : []),
    ],
  }
}

/** All months that overlap the span. */
export function monthsAround({ from, before }: Span): Span {
  return { from: from && monthOf(from), before: before && monthAfter(before) }
}

/** As SQL writes it: five-digit years without a sign. */
export function dateText(midnight: Date): string {
  return midnight.toISOString().replace(/^\+0*/, '').replace(/T.*/, '')
}

function nearestMidnight(at: Date): Date {
  return new Date(Math.round(at.getTime() / DAY) * DAY)
}

/** The edge between a whole day and the span's end, in the order of a span. */
function edgeBetween(start: Date, end: Date): readonly Edge[] {
  if (start < end) return [{ from: start, before: end, sign: 1 }]
  return end < start ? [{ from: end, before: start, sign: -1 }] : []
}

function monthOf(at: Date): Date {
  return startOfMonth(at.getUTCFullYear(), at.getUTCMonth())
}

function monthAfter(at: Date): Date {
  return startOfMonth(at.getUTCFullYear(), at.getUTCMonth() + 1)
}

/** Date.UTC would take the years 0 to 99 as 1900 to 1999. */
function startOfMonth(year: number, month: number): Date {
  const start = new Date(0)
  start.setUTCFullYear(year, month, 1)
  return start
}
