// A recurrence rule as plain data, after RFC 5545.

import type { Wall } from '../wall-clock.ts'

export const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY'] as const

export type Frequency = (typeof FREQUENCIES)[number]

/** In the order of their numbers, from 0. */
export const WEEKDAYS: readonly string[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

export interface NthWeekday {
  readonly weekday: number
  /** The first is 1, the last is -1; 0 means every one. */
  readonly nth: number
}

/** A time as the client wrote it: a whole local day, a local time, or an instant. */
export type WrittenTime =
  | { readonly kind: 'date'; readonly day: number }
  | { readonly kind: 'local'; readonly wall: Wall }
  | { readonly kind: 'instant'; readonly instant: number }

/** The matching days. An empty list matches every day. */
export interface DayPattern {
  readonly months: readonly number[]
  /** Numbered as in ISO 8601, but from the rule's first day of the week. Only in yearly rules. */
  readonly weeks: readonly number[]
  readonly yearDays: readonly number[]
  readonly monthDays: readonly number[]
  readonly weekdays: readonly NthWeekday[]
}

export interface Pattern extends DayPattern {
  /** The times of each day, or for elapsed time of each cycle, in milliseconds and in order. */
  readonly times: readonly number[]
}

export interface Rule extends DayPattern {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number | undefined
  readonly until: WrittenTime | undefined
  readonly hours: readonly number[]
  readonly minutes: readonly number[]
  /** Which of a period's occurrences to use. Empty for all. */
  readonly positions: readonly number[]
  readonly weekStart: number
}

/** A series of occurrences: the client's rule, and the values computed from it once. */
export interface Recurrence {
  readonly rule: Rule
  /** The start of the series on the wall clock of its zone. */
  readonly anchor: Wall
  /** The instant of the anchor. If the clock shows the anchor twice, the one that is meant. */
  readonly origin: number
  readonly zone: string
  /** EXDATE and RDATE, as instants in order. */
  readonly except: readonly number[]
  readonly extra: readonly number[]
  /** The rule's pattern, with missing parts taken from the anchor. */
  readonly pattern: Pattern
  /** The last instant that COUNT or UNTIL allows. */
  readonly end: number | undefined
}

/** These count elapsed time and ignore the wall clock. */
export function isElapsed({ frequency }: Pick<Rule, 'frequency'>): boolean {
  return frequency === 'HOURLY' || frequency === 'MINUTELY'
}
