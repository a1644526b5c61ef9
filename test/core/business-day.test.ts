import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { businessDayOf, businessDayOn, EASTERN, nextMidnight } from '../../src/core/business-day.ts'
import { HOUR } from '../../src/core/time-units.ts'

describe('the next midnight Eastern', () => {
  it.each([
    ['in winter', '2026-01-15T17:00:00.000Z', '2026-01-16T05:00:00.000Z'],
    ['in summer', '2026-07-15T17:00:00.000Z', '2026-07-16T04:00:00.000Z'],
    ['after a batch at 20:00', '2026-07-16T00:00:00.000Z', '2026-07-16T04:00:00.000Z'],
    ['of a date that is tomorrow in UTC', '2026-01-16T04:59:59.999Z', '2026-01-16T05:00:00.000Z'],
    ['at midnight itself: a day on', '2026-01-16T05:00:00.000Z', '2026-01-17T05:00:00.000Z'],
    ['a moment after midnight', '2026-01-16T05:00:00.001Z', '2026-01-17T05:00:00.000Z'],
    ['of the day before the clocks go on', '2026-03-07T12:00:00.000Z', '2026-03-08T05:00:00.000Z'],
    ['at the midnight of 23 hours', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['before the gap', '2026-03-08T06:59:59.999Z', '2026-03-09T04:00:00.000Z'],
    ['after the gap', '2026-03-08T07:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['of the day before they go back', '2026-10-31T12:00:00.000Z', '2026-11-01T04:00:00.000Z'],
    ['at the midnight of 25 hours', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['in the hour that comes twice', '2026-11-01T05:30:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['in it, the second time', '2026-11-01T06:30:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['at the end of that day', '2026-11-02T04:59:59.999Z', '2026-11-02T05:00:00.000Z'],
    ['on New Year’s Eve', '2027-01-01T04:59:59.999Z', '2027-01-01T05:00:00.000Z'],
    ['at New Year', '2027-01-01T05:00:00.000Z', '2027-01-02T05:00:00.000Z'],
    ['before a leap day', '2028-02-28T12:00:00.000Z', '2028-02-29T05:00:00.000Z'],
    ['on a leap day', '2028-02-29T12:00:00.000Z', '2028-03-01T05:00:00.000Z'],
    ['at the end of a short February', '2027-02-28T12:00:00.000Z', '2027-03-01T05:00:00.000Z'],
  ])('%s', (_, instant, midnight) => {
    expect(nextMidnight(new Date(instant), EASTERN).toISOString()).toBe(midnight)
  })
})

describe('the next midnight', () => {
  it.each([
    ['where there is no 00:00 that day', 'Africa/Cairo', '2026-04-23T12:00Z', '2026-04-23T22:00Z'],
    ['where a whole day is left out', 'Pacific/Apia', '2011-12-29T22:00Z', '2011-12-30T10:00Z'],
    [
      'where an hour before it comes twice',
      'Asia/Beirut',
      '2026-10-24T12:00Z',
      '2026-10-24T22:00Z',
    ],
    ['where it comes twice', 'America/Havana', '2026-10-31T12:00Z', '2026-11-01T04:00Z'],
    ['of UTC', 'UTC', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00Z'],
  ])('%s', (_, zone, instant, midnight) => {
    expect(nextMidnight(new Date(instant), zone)).toEqual(new Date(midnight))
  })

  it.each([EASTERN, 'UTC', 'Africa/Cairo', 'Australia/Lord_Howe', 'Asia/Beirut', 'America/Havana'])(
    'in %s is the first instant of the day after, whenever one asks',
    (zone) => {
      const dateOf = dateIn(zone)
      const instants = fc.date({
        min: new Date('2020-01-01T00:00:00Z'),
        max: new Date('2035-01-01T00:00:00Z'),
        noInvalidDate: true,
      })
      fc.assert(
        fc.property(instants, (instant) => {
          const midnight = nextMidnight(instant, zone)
          const ms = midnight.getTime() - instant.getTime()
          expect(ms).toBeGreaterThan(0)
          expect(ms).toBeLessThanOrEqual(25 * HOUR)
          expect(dateOf(midnight)).not.toBe(dateOf(instant))
          expect(dateOf(new Date(midnight.getTime() - 1))).toBe(dateOf(instant))
        }),
        { numRuns: 500 },
      )
    },
  )
})

describe('the business day of a date', () => {
  it.each([EASTERN, 'UTC', 'Pacific/Apia', 'Africa/Cairo', 'Australia/Lord_Howe'])(
    'in %s begins at the cutoff of the day before it',
    (zone) => {
      const min = new Date('2011-12-01T00:00:00Z')
      const instants = fc.date({ min, max: new Date('2035-01-01T00:00:00Z'), noInvalidDate: true })
      const times = fc.constantFrom('20:00', '00:00', '02:30', '23:59')
      fc.assert(
        fc.property(instants, times, (instant, time) => {
          const cutoff = { time, zone }
          const day = businessDayOf(instant, cutoff)
          const { opensAt, ...on } = businessDayOn(day.date, cutoff)
          expect(on).toEqual(day)
          expect(businessDayOf(opensAt, cutoff)).toEqual(day)
          const before = businessDayOf(new Date(opensAt.getTime() - 1), cutoff)
          expect(before.cutoffAt).toEqual(opensAt)
        }),
        { numRuns: 500, examples: [[new Date('2011-12-30T12:00:00Z'), '20:00']] },
      )
    },
  )
})

/** Computed by other code than the code under test. */
function dateIn(timeZone: string): (instant: Date) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  return (instant) => format.format(instant)
}
