// What a rule of recurrence says, as plain data, after RFC 5545.

import type { Wall } from '../wall-clock.ts'

export const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY'] as const

export type Frequency = (typeof FREQUENCIES)[number]

/** From 0 on, as they are counted. */
export const WEEKDAYS: readonly string[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

export interface NthWeekday {
  readonly weekday: number
  /** The first is 1, the last is -1; 0 is each of them. */
  readonly nth: number
}

/** A time as it was written: a whole local day, a local time, or an instant. */
export type WrittenTime =
  | { readonly kind: 'date'; readonly day: number }
  | { readonly kind: 'local'; readonly wall: Wall }
  | { readonly kind: 'instant'; readonly instant: number }

/** The days that match; where a list is empty, all of them do. */
export interface DayPattern {
  readonly months: readonly number[]
  readonly monthDays: readonly number[]
  readonly weekdays: readonly NthWeekday[]
}

export interface Pattern extends DayPattern {
  /** Of each day, in milliseconds and in order. Time that elapses has none. */
  readonly times: readonly number[]
}

export interface Rule extends DayPattern {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number | undefined
  readonly until: WrittenTime | undefined
  readonly hours: readonly number[]
  readonly minutes: readonly number[]
  /** Which of a period's occurrences are meant; empty is all of them. */
  readonly positions: readonly number[]
  readonly weekStart: number
}

/** A series of occurrences: what was said, and what was made of it once and for all. */
export interface Recurrence {
  readonly rule: Rule
  /** Where the series is anchored on the wall clock of its zone. */
  readonly anchor: Wall
  /** The instant of the anchor: of two at which the clock shows it, the one that was meant. */
  readonly origin: number
  readonly zone: string
  /** EXDATE and RDATE, as instants in order. */
  readonly except: readonly number[]
  readonly extra: readonly number[]
  /** The rule's, with what it leaves to the anchor filled in. */
  readonly pattern: Pattern
  /** The last instant that COUNT or UNTIL leaves to the rule. */
  readonly end: number | undefined
}

/** These count the time that passes, and care for no wall clock. */
export function isElapsed({ frequency }: Pick<Rule, 'frequency'>): boolean {
  return frequency === 'HOURLY' || frequency === 'MINUTELY'
}
