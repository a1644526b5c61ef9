// Rules in every zone of the world, compared with its real clocks, for ten years.

import { describe, expect, it } from 'vitest'
import { occurrencesAfter } from '../../src/core/recurrence.ts'
import {
  changesBetween,
  DAY,
  dateOf,
  firstMinute,
  instantOf,
  isDate,
  localOf,
  minuteOf,
  offsetAt,
} from '../support/minute-scan.ts'
import { firstOf, taken } from '../support/recurrences.ts'
import { COMING_YEARS, REGIONS, UNRULY_YEARS } from '../support/zones.ts'

const TIMES = ['20:00', '02:30', '00:00', '00:30', '01:30', '23:59']

const UNRULY = decade(...UNRULY_YEARS)
const COMING = decade(...COMING_YEARS)

const DECADES = [UNRULY, COMING]

interface Decade {
  readonly from: number
  readonly before: number
  /** The midnights of every date of the calendar. */
  readonly midnights: readonly number[]
}

/** A minute for tests that take seconds alone: the machine may be busy. */
const PATIENCE = { timeout: 60_000 }

/** All changes of the decade have a test of their own. */
const TWO_YEARS = 731

/** The runs around a change of the clocks: some days before it, and some after. */
const BEFORE_CHANGE = 2 * DAY
const RUNS_AROUND = 5

/** Rules of dates, and the dates that they select. */
const RULES: readonly {
  readonly rule: string
  readonly wants: (local: Date, monthLength: number) => boolean
}[] = [
  {
    rule: 'FREQ=WEEKLY;BYDAY=SU,FR',
    wants: (local) => [0, 5].includes(local.getUTCDay()),
  },
  {
    rule: 'FREQ=MONTHLY;BYMONTHDAY=31',
    wants: (local, monthLength) => local.getUTCDate() === monthLength,
  },
  {
    rule: 'FREQ=MONTHLY;BYDAY=-1SU',
    wants: (local, monthLength) => local.getUTCDay() === 0 && local.getUTCDate() > monthLength - 7,
  },
  {
    rule: 'FREQ=YEARLY;BYMONTH=3,4,10,11;BYDAY=SU',
    wants: (local) => [2, 3, 9, 10].includes(local.getUTCMonth()) && local.getUTCDay() === 0,
  },
  {
    rule: 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=30,31',
    wants: (local) => local.getUTCMonth() === 11 && local.getUTCDate() >= 30,
  },
]

const WANTED = DECADES.flatMap((decade) =>
  RULES.map(({ rule, wants }) => ({
    rule,
    decade,
    wanted: decade.midnights.filter((midnight) =>
      wants(instantOf(midnight), monthLengthOf(midnight)),
    ),
  })),
)

describe('a daily rule', PATIENCE, () => {
  it.each(REGIONS)('runs once a date, for two years: %s', (_, zones) => {
    for (const zone of zones) {
      const midnights = COMING.midnights.slice(0, TWO_YEARS)
      const locals = shownIn(zone, midnights).map((midnight) => midnight + 150)
      expectRuns(zone, 'FREQ=DAILY', COMING, '02:30', locals)
    }
  })

  it.each(REGIONS)('runs once a date, at any time around every change: %s', (_, zones) => {
    const wrong = zones.flatMap((zone) => DECADES.flatMap((decade) => wrongAround(zone, decade)))
    expect(wrong).toEqual([])
  })

  it('is compared at all the changes there are', () => {
    const zones = REGIONS.flatMap(([, some]) => some)
    const changes = zones.flatMap((zone) => changesBetween(zone, COMING.from, COMING.before))
    expect(changes.length).toBeGreaterThan(900)
  })
})

describe('a rule of weeks, months or years', PATIENCE, () => {
  it.each(REGIONS)('runs once on every date that it selects: %s', (_, zones) => {
    for (const [index, zone] of zones.entries()) {
      const time = TIMES[index % TIMES.length] ?? '02:30'
      for (const decade of DECADES) expectAllRules(zone, decade, time)
    }
  })
})

describe('a yearly rule', PATIENCE, () => {
  it.each(REGIONS)('runs on the date of a change in every year: %s', (_, zones) => {
    for (const zone of zones) {
      for (const decade of DECADES) {
        const date = changedOn(zone, decade)
        const recurrence = taken('FREQ=YEARLY', `${date}T02:30:00`, zone)
        const years = Array.from({ length: 10 }, (_, index) => Number(date.slice(0, 4)) + index)
        const dates = years.map((year) => localOf(`${year}${date.slice(4)}`))
        const wanted = shownIn(zone, dates).map((midnight) => firstMinute(zone, midnight + 150))
        expect(wanted.length).toBeGreaterThan(8)
        expect(firstOf(recurrence, wanted.length).map(minuteOf), zone).toEqual(wanted)
      }
    }
  })
})

function expectAllRules(zone: string, decade: Decade, time: string): void {
  for (const { rule, wanted } of WANTED.filter((one) => one.decade === decade)) {
    const locals = shownIn(zone, wanted).map((midnight) => localOf(dateOf(midnight), time))
    expectRuns(zone, rule, decade, time, locals)
  }
}

function expectRuns(
  zone: string,
  rule: string,
  decade: Decade,
  time: string,
  locals: readonly number[],
): void {
  const recurrence = taken(rule, `${dateOf(decade.from)}T${time}:00`, zone)
  const wanted = locals.map((local) => firstMinute(zone, local))
  expect(wanted.length).toBeGreaterThan(9)
  const runs = firstOf(recurrence, wanted.length).map(minuteOf)
  const wrong = wanted.findIndex((minute, index) => minute !== runs[index])
  const expected = wrong === -1 ? '' : `, ${instantOf(wanted[wrong] ?? 0).toISOString()}`
  expect(runs[wrong], `${zone}, ${rule} at ${time}${expected}`).toBe(wanted[wrong])
  expect(runs.length).toBe(wanted.length)
}

/** The times around changes at which the runs differ from the clocks. */
function wrongAround(zone: string, decade: Decade): readonly string[] {
  const changes = changesBetween(zone, decade.from, decade.before)
  return TIMES.flatMap((time) => {
    const recurrence = taken('FREQ=DAILY', `${dateOf(decade.from)}T${time}:00`, zone)
    return changes
      .map(({ at }) => at - BEFORE_CHANGE)
      .filter((after) => after > decade.from + DAY)
      .filter((after) => {
        const found = occurrencesAfter(recurrence, instantOf(after), RUNS_AROUND).map(minuteOf)
        return found.join() !== runsAfter(zone, time, after).join()
      })
      .map((after) => `${zone} ${time} ${instantOf(after).toISOString()}`)
  })
}

function runsAfter(zone: string, time: string, after: number): readonly number[] {
  const first = localOf(dateOf(after + offsetAt(zone, after))) - DAY
  return Array.from({ length: RUNS_AROUND + 4 }, (_, index) => first + index * DAY)
    .filter((midnight) => isDate(zone, midnight))
    .map((midnight) => firstMinute(zone, localOf(dateOf(midnight), time)))
    .filter((minute) => minute > after)
    .slice(0, RUNS_AROUND)
}

/** The dates without those that the zone skipped. */
function shownIn(zone: string, midnights: readonly number[]): readonly number[] {
  return midnights.filter(
    (midnight) =>
      changesBetween(zone, midnight - DAY, midnight + DAY).length === 0 || isDate(zone, midnight),
  )
}

/** The local date of the decade's first change, or any date without one. */
function changedOn(zone: string, { from, before }: Decade): string {
  const [first] = changesBetween(zone, from + DAY, before - 366 * DAY)
  return first === undefined
    ? dateOf(from + 40 * DAY)
    : dateOf(first.at + offsetAt(zone, first.at - 1))
}

function monthLengthOf(midnight: number): number {
  const at = instantOf(midnight)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
}

function decade(first: string, next: string): Decade {
  const from = localOf(first)
  const before = localOf(next)
  const days = (before - from) / DAY
  return { from, before, midnights: Array.from({ length: days }, (_, i) => from + i * DAY) }
}
