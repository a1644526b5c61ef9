// The cutoffs of every zone in the world, compared with its real clocks.

import { describe, expect, it } from 'vitest'
import { businessDayAfter, businessDayOf, depositAt } from '../../src/core/business-day.ts'
import { isZone } from '../../src/core/wall-clock.ts'
import {
  changesBetween,
  DAY,
  dateOf,
  firstMinute,
  instantOf,
  isDate,
  localOf,
  minuteOf,
  shownAt,
} from '../support/minute-scan.ts'
import { CLOCKS, COMING_YEARS, REGIONS, TWINS, UNRULY_YEARS, ZONES } from '../support/zones.ts'

const TIMES = ['20:00', '02:30', '00:00', '00:30', '01:30', '23:59']

const [FROM = 0, BEFORE = 0] = COMING_YEARS.map((date) => localOf(date))
const [UNRULY_FROM = 0, UNRULY_BEFORE = 0] = UNRULY_YEARS.map((date) => localOf(date))

/** A minute for tests that take a second or two alone: the machine may be busy. */
const PATIENCE = { timeout: 60_000 }

/** The days on both sides of a change that it may affect. */
const NEAR = 1

/** Days far from any change are alike: a sample with every weekday and every date. */
const SAMPLED = 97

/** Some instants of the years that are compared. */
const SAMPLES = [UNRULY_FROM, FROM].flatMap((from) =>
  Array.from({ length: 37 }, (_, i) => instantOf(from + i * 97 * DAY + 13 * i)),
)

interface Window {
  readonly date: string
  /** Minutes: the first of the span, and the first after it. */
  readonly from: number
  readonly before: number
}

describe('the reference', PATIENCE, () => {
  it('finds the known changes', () => {
    const found = (zone: string, from: string, to: string) =>
      changesBetween(zone, localOf(from), localOf(to)).map(({ at, offset }) => [
        instantOf(at).toISOString().slice(0, 16),
        offset,
      ])
    expect(found('America/New_York', '2026-01-01', '2027-01-01')).toEqual([
      ['2026-03-08T07:00', -240],
      ['2026-11-01T06:00', -300],
    ])
    expect(found('Australia/Lord_Howe', '2026-01-01', '2027-01-01')).toEqual([
      ['2026-04-04T15:00', 630],
      ['2026-10-03T15:30', 660],
    ])
    expect(found('Pacific/Apia', '2011-12-01', '2012-01-01')).toEqual([['2011-12-30T10:00', 840]])
  })

  it('agrees with the clocks, far from a change', () => {
    let asked = 0
    for (const zone of ZONES) {
      for (let local = FROM + 150; local < BEFORE; local += 97 * DAY) {
        if (changesBetween(zone, local - DAY, local + DAY).length > 0) continue
        asked += 1
        expect(shownAt(zone, firstMinute(zone, local)), zone).toBe(local)
      }
    }
    expect(asked).toBeGreaterThan(ZONES.length * 30)
  })
})

describe('a business day', PATIENCE, () => {
  it.each(REGIONS)('ends at its cutoff, for ten years: %s', (_, zones) => {
    expectRight(zones, FROM, BEFORE)
  })

  it.each(REGIONS)('ends at its cutoff, in ten unruly years: %s', (_, zones) => {
    expectRight(zones, UNRULY_FROM, UNRULY_BEFORE)
  })

  it.each(REGIONS)('follows the day before: %s', (_, zones) => {
    const wrong = zones.flatMap((zone) => datesOff(zone))
    expect(wrong).toEqual([])
  })
})

describe('a deposit', PATIENCE, () => {
  it.each(REGIONS)('comes at 09:00 of the next weekday: %s', (_, zones) => {
    const wrong = zones.flatMap((zone) =>
      sampled(zone, FROM, BEFORE).filter((midnight) => {
        let day = midnight + DAY
        while ([0, 6].includes(instantOf(day).getUTCDay()) || !isDate(zone, day)) day += DAY
        const found = minuteOf(depositAt(dateOf(midnight), zone))
        return found !== firstMinute(zone, day + 9 * 60)
      }),
    )
    expect(wrong).toEqual([])
  })

  it.each([
    ['on a Tuesday after a Monday', '2026-03-02', '2026-03-03T14:00Z'],
    ['on a Monday after a Friday, the clocks gone on', '2026-03-06', '2026-03-09T13:00Z'],
    ['on a Monday after a Saturday', '2026-03-07', '2026-03-09T13:00Z'],
    ['on a Monday after a Sunday', '2026-11-01', '2026-11-02T14:00Z'],
    ['in the new year', '2026-12-31', '2027-01-01T14:00Z'],
  ])('comes %s', (__, date, deposit) => {
    expect(depositAt(date, 'America/New_York')).toEqual(new Date(deposit))
  })

  it('never comes on a skipped Friday', () => {
    // Thursday is followed by a skipped 30 December 2011: the next weekday is Monday 2 January.
    expect(depositAt('2011-12-29', 'Pacific/Apia')).toEqual(new Date('2012-01-01T19:00Z'))
  })
})

describe('a zone', () => {
  it('has the same days as others with the same clocks', () => {
    const days = (zone: string) =>
      SAMPLES.map((instant) => businessDayOf(instant, { zone, time: '02:30' }))
    for (const [zone, other] of TWINS) expect(days(zone), zone).toEqual(days(other))
    expect(CLOCKS.length + TWINS.length).toBe(ZONES.length)
    expect(CLOCKS.length).toBeGreaterThan(100)
  })

  it('can be every zone that Node lists, and its aliases', () => {
    expect(ZONES.filter((zone) => !isZone(zone))).toEqual([])
    expect(ZONES.length).toBeGreaterThan(400)
  })

  it.each(['', ' ', 'UTC+3', '+03:00', '-0500', 'Mars/Base', 'New York', 'America/', 'local'])(
    'is not %j',
    (name) => {
      expect(isZone(name)).toBe(false)
    },
  )
})

/**
 * The whole day: its first instant, the middle, the last millisecond, and the first one after it.
 */
function expectRight(zones: readonly string[], from: number, before: number): void {
  const wrong: string[] = []
  let asked = 0
  for (const zone of zones) {
    const midnights = sampled(zone, from, before)
    for (const time of TIMES) {
      for (const midnight of midnights) {
        asked += 1
        if (!isRight(windowOf(zone, time, midnight), { zone, time })) {
          wrong.push(`${zone} ${dateOf(midnight)} ${time}`)
        }
      }
    }
  }
  expect(wrong).toEqual([])
  expect(asked).toBeGreaterThan(zones.length * TIMES.length * 30)
}

function isRight({ date, from, before }: Window, cutoff: { zone: string; time: string }): boolean {
  const end = before * 60_000
  const inside = [from * 60_000, Math.floor((from * 60_000 + end) / 2), end - 1]
  const days = inside.map((ms) => businessDayOf(new Date(ms), cutoff))
  return (
    days.every((day) => day.date === date && day.cutoffAt.getTime() === end) &&
    businessDayOf(new Date(end), cutoff).date > date
  )
}

function windowOf(zone: string, time: string, midnight: number): Window {
  const from = firstMinute(zone, localOf(dateOf(dateBefore(zone, midnight)), time))
  const before = firstMinute(zone, localOf(dateOf(midnight), time))
  return { date: dateOf(midnight), from, before }
}

/** Dates that the step from the day before loses, invents, or ends wrongly. */
function datesOff(zone: string): readonly string[] {
  const cutoff = { zone, time: '20:00' }
  return sampled(zone, UNRULY_FROM, UNRULY_BEFORE)
    .filter((midnight) => {
      const day = businessDayAfter(dateOf(dateBefore(zone, midnight)), cutoff)
      const end = firstMinute(zone, midnight + 20 * 60)
      return day.date !== dateOf(midnight) || minuteOf(day.cutoffAt) !== end
    })
    .map((midnight) => `${zone} ${dateOf(midnight)}`)
}

/** The midnight of the date before; the zone may have skipped one. */
function dateBefore(zone: string, midnight: number): number {
  let before = midnight - DAY
  while (!isDate(zone, before)) before -= DAY
  return before
}

/** The dates near a change of the clocks, and some others. */
function sampled(zone: string, from: number, before: number): readonly number[] {
  const days = Array.from({ length: (before - from) / DAY }, (_, i) => from + i * DAY)
  return days.filter((day, index) => {
    const isNear = changesBetween(zone, day - NEAR * DAY, day + (NEAR + 1) * DAY).length > 0
    return isNear ? isDate(zone, day) : index % SAMPLED === 0
  })
}
