import { describe, expect, it } from 'vitest'
import { EASTERN } from '../../src/core/business-day.ts'
import {
  anchorOf,
  type Recurrence,
  readRecurrence,
  ruleOf,
  ruleText,
  storedRecurrence,
  zoneNamedIn,
} from '../../src/core/recurrence.ts'

const NOW = new Date('2026-01-10T12:00:30Z')
const FIRST = '2026-01-31T09:00:00'

describe('a rule', () => {
  it.each([
    ['bare', 'FREQ=MONTHLY', 'RRULE:FREQ=MONTHLY'],
    ['in any case', 'rrule:freq=daily;byday=mo', 'RRULE:FREQ=DAILY;BYDAY=MO'],
    ['with what says nothing', 'FREQ=DAILY;INTERVAL=1;WKST=MO;', 'RRULE:FREQ=DAILY'],
    ['in any order', 'COUNT=2;FREQ=DAILY', 'RRULE:FREQ=DAILY;COUNT=2'],
    [
      'with lists in any order, and twice',
      'FREQ=YEARLY;BYMONTHDAY=31,-1,31;BYMONTH=7,1',
      'RRULE:FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=-1,31',
    ],
    ['with plain ordinals', 'FREQ=MONTHLY;BYDAY=+1MO,-1FR', 'RRULE:FREQ=MONTHLY;BYDAY=-1FR,1MO'],
    ['at second 0', 'FREQ=DAILY;BYMINUTE=30;BYSECOND=0', 'RRULE:FREQ=DAILY;BYMINUTE=30'],
    ['until a date', 'FREQ=DAILY;UNTIL=2026-12-31', 'RRULE:FREQ=DAILY;UNTIL=20261231'],
    [
      'until an instant',
      'FREQ=DAILY;UNTIL=20261231T235959Z',
      'RRULE:FREQ=DAILY;UNTIL=20261231T235959Z',
    ],
    [
      'until a local time',
      'FREQ=DAILY;UNTIL=20270101T0900',
      'RRULE:FREQ=DAILY;UNTIL=20270101T090000',
    ],
    ['of hours, with minutes', 'FREQ=HOURLY;BYMINUTE=30,0', 'RRULE:FREQ=HOURLY;BYMINUTE=0,30'],
    [
      'of hours that it names, as the daily one',
      'FREQ=HOURLY;INTERVAL=2;BYHOUR=9,11,12,13;BYDAY=MO;COUNT=5',
      'RRULE:FREQ=DAILY;COUNT=5;BYDAY=MO;BYHOUR=9,11,13',
    ],
    [
      'of minutes in hours that it names, as the daily one',
      'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10',
      'RRULE:FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20,40',
    ],
    [
      'of hours that it names on days of the year, as the yearly one',
      'FREQ=HOURLY;BYHOUR=9;BYMINUTE=0,30;BYYEARDAY=-1,100',
      'RRULE:FREQ=YEARLY;BYYEARDAY=-1,100;BYHOUR=9;BYMINUTE=0,30',
    ],
    [
      'with dates, over folded lines',
      'EXDATE;VALUE=DATE:20260201\r\nRRULE:FREQ=DA\r\n ILY\r\nRDATE:20260301T1200\r\n',
      'RRULE:FREQ=DAILY\nEXDATE:20260201T090000\nRDATE:20260301T120000',
    ],
    [
      'with dates that are instants: local where that says which',
      'FREQ=DAILY\nRDATE:20261101T053000Z,20261101T063000Z',
      'RRULE:FREQ=DAILY\nRDATE:20261101T013000,20261101T063000Z',
    ],
  ])('%s', (_, rule, canonical) => {
    const recurrence = taken(rule, FIRST)
    expect(ruleOf(recurrence)).toBe(canonical)
    expect(storedRecurrence(canonical, FIRST, EASTERN)).toEqual(recurrence)
  })
})

describe('the start', () => {
  it.each([
    ['is the next full minute', 'FREQ=DAILY', undefined, '2026-01-10T07:01:00'],
    ['stands beside the rule', 'FREQ=DAILY', '2026-01-31 09:00:00', FIRST],
    ['is a date', 'FREQ=DAILY', '2026-01-31', '2026-01-31T00:00:00'],
    ['is written without dashes', 'FREQ=DAILY', '20260131T090000', FIRST],
    ['is an instant', 'FREQ=DAILY', '2026-01-31T14:00:00.000Z', FIRST],
    ['has an offset', 'FREQ=DAILY', '2026-01-31T15:00:00+01:00', FIRST],
    ['is a part of the rule', 'FREQ=DAILY;DTSTART=20260131T090000', undefined, FIRST],
    ['is a line of its own', 'DTSTART:20260131T090000\nFREQ=DAILY', undefined, FIRST],
    ['names the zone', `DTSTART;TZID=${EASTERN}:20260131T090000\nFREQ=DAILY`, undefined, FIRST],
    ['is said twice alike', 'DTSTART:20260131T140000Z\nFREQ=DAILY', FIRST, FIRST],
  ])('%s', (_, rule, start, anchor) => {
    expect(anchorOf(taken(rule, start))).toBe(anchor)
  })
})

describe('the zone that a rule names', () => {
  it.each([
    ['none', 'FREQ=DAILY', undefined],
    ['none with the start', 'DTSTART:20260131T090000\nFREQ=DAILY', undefined],
    ['another part of the line', 'DTSTART;VALUE=DATE-TIME:20260131T090000', undefined],
    ['only that of an excluded date', 'FREQ=DAILY\nEXDATE;TZID=UTC:20260201T090000', undefined],
    ['in quotes', 'DTSTART;TZID="Europe/Berlin":20260131T090000', 'Europe/Berlin'],
    ['in its own spelling', 'dtstart;tzid=europe/Berlin:20260131t090000', 'europe/Berlin'],
    ['in an indented line', '  DTSTART;TZID=Asia/Tokyo:20260131T090000\nFREQ=DAILY', 'Asia/Tokyo'],
    ['over folded lines', 'DTSTART;TZID=Asia/Ka\r\n thmandu:20260131T090000', 'Asia/Kathmandu'],
    ['on the folded line', 'DTSTART;\r\n TZID=Asia/Tokyo:2026\r\n\t0131T090000', 'Asia/Tokyo'],
  ])('is %s', (_, rule, zone) => {
    expect(zoneNamedIn(rule)).toBe(zone)
  })

  it('is that of the start, in any spelling', () => {
    const rule = 'DTSTART;TZID=america/\r\n new_york:20260131T090000\nFREQ=DAILY'
    const zone = zoneNamedIn(rule) ?? ''
    expect(readRecurrence({ rule, zone }, NOW).kind).toBe('recurrence')
  })
})

describe('a refused rule', () => {
  it.each([
    ['nothing', '', 'must hold an RRULE'],
    ['prose', 'FREQ=DAILY;each monday', 'must hold parts such as FREQ=DAILY, not EACH MONDAY'],
    ['no frequency', 'COUNT=3', 'must have a FREQ'],
    [
      'an unknown frequency',
      'FREQ=FORTNIGHTLY',
      'must have a FREQ of YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY, not FORTNIGHTLY',
    ],
    ['a misspelt part', 'FREQ=DAILY;INTERVL=2', 'must not hold INTERVL: did you mean INTERVAL?'],
    ['a spaced part', 'FREQ=DAILY;COUNT =2', 'must not hold COUNT : did you mean COUNT?'],
    ['a weekday', 'FREQ=WEEKLY;BYDAY=MONDAY', 'must have a BYDAY such as MO or -1FR, not MONDAY'],
    ['a first day', 'FREQ=WEEKLY;WKST=SUNDAY', 'must have a WKST such as MO, not SUNDAY'],
    ['SECONDLY', 'FREQ=SECONDLY', 'must not be finer than 15 minutes'],
    ['14 minutes', 'FREQ=MINUTELY;INTERVAL=14', 'must not be finer than 15 minutes'],
    ['times close by', 'FREQ=DAILY;BYMINUTE=0,10', 'must not be finer than 15 minutes'],
    [
      'times close by over midnight',
      'FREQ=DAILY;BYHOUR=0,23;BYMINUTE=0,50',
      'must not be finer than 15 minutes',
    ],
    ['an unknown part', 'FREQ=DAILY;BYEASTER=1', 'must not hold BYEASTER'],
    ['INTERVAL=0', 'FREQ=MINUTELY;INTERVAL=0', 'must have INTERVAL from 1 to 60000'],
    ['a long interval', 'FREQ=MINUTELY;INTERVAL=60001', 'must have INTERVAL from 1 to 60000'],
    ['an interval in words', 'FREQ=MINUTELY;INTERVAL=few', 'must have INTERVAL from 1 to 60000'],
    ['minute 60', 'FREQ=DAILY;BYMINUTE=55,60', 'must have a BYMINUTE from 0 to 59'],
    ['BYSECOND', 'FREQ=DAILY;BYSECOND=0,30', 'must not have a BYSECOND other than 0'],
    ['EXRULE', 'FREQ=DAILY\nEXRULE:FREQ=WEEKLY', 'must not hold EXRULE'],
    ['a part twice', 'FREQ=DAILY;FREQ=DAILY', 'must hold FREQ only once'],
    ['two rules', 'FREQ=DAILY\nRRULE:FREQ=DAILY', 'must hold one RRULE only'],
    ['COUNT=0', 'FREQ=DAILY;COUNT=0', 'must have COUNT from 1 to 10000'],
    ['two ends', 'FREQ=DAILY;COUNT=2;UNTIL=20270101', 'must not have both COUNT and UNTIL'],
    ['month 13', 'FREQ=DAILY;BYMONTH=13', 'must have a BYMONTH from 1 to 12'],
    [
      'day 0 of a month',
      'FREQ=MONTHLY;BYMONTHDAY=0',
      'must have a BYMONTHDAY from 1 to 31, or from -31 to -1',
    ],
    [
      'an ordinal of weeks',
      'FREQ=WEEKLY;BYDAY=1MO',
      'must not have an ordinal in BYDAY with WEEKLY',
    ],
    ['days of months in weeks', 'FREQ=WEEKLY;BYMONTHDAY=1', 'must not have BYMONTHDAY with WEEKLY'],
    [
      'BYSETPOS of nothing',
      'FREQ=DAILY;BYSETPOS=1',
      'must not have BYSETPOS without another BY part',
    ],
    ['a day that is none', 'FREQ=DAILY;UNTIL=20260230', 'must have an UNTIL such as'],
    ['another zone', 'EXDATE;TZID=UTC:20260201T0900\nFREQ=DAILY', 'must not name another TZID'],
    ['an early RDATE', 'FREQ=DAILY\nRDATE:20260130', 'must not hold an RDATE before the start'],
    ['close RDATEs', 'FREQ=DAILY\nRDATE:20260401T1014,20260401T1000', 'RDATEs finer than'],
    ['an end before the start', 'FREQ=DAILY;UNTIL=20260130', 'never comes due'],
    ['an empty position', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6', 'never comes due'],
    ['a day that never is', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=-30', 'never comes due'],
    ['all taken away', 'FREQ=DAILY;COUNT=1\nEXDATE:20260131T090000', 'never comes due'],
  ])('%s', (_, rule, fault) => {
    expect(faultsOf(rule, FIRST)).toEqual({ rule: [expect.stringContaining(fault)] })
  })

  it('may have RDATEs 15 minutes apart, and one twice', () => {
    const rule = 'FREQ=DAILY\nRDATE:20260401T1015,20260401T1000,20260401T1000'
    expect(readRecurrence({ rule, start: FIRST, zone: EASTERN }, NOW).kind).toBe('recurrence')
  })

  it('gets all its faults at once', () => {
    const rule = 'FREQ=DAILY;COUNT=x;BYHOUR=24;DTSTART=today'
    expect(faultsOf(rule, 'tomorrow', 'Mars/Olympus')).toEqual({
      rule: [
        'must have COUNT from 1 to 10000',
        'must have a BYHOUR from 0 to 23',
        'has a DTSTART that must be a local time such as 2026-01-31T09:00:00',
      ],
      start: ['must be a local time such as 2026-01-31T09:00:00'],
      timezone: ['must be a zone of the tz database, such as America/New_York'],
    })
  })

  it.each([
    ['x', 'FREQ=DAILY', 'must be a local time such as 2026-01-31T09:00:00'],
    ['2026-02-30', 'FREQ=DAILY', 'must be a local time such as 2026-01-31T09:00:00'],
    ['1850-01-01', 'FREQ=DAILY', 'must lie in the years from 1900 to 2099'],
    ['2026-02-01', 'FREQ=DAILY;DTSTART=20260131', 'must be the same as the DTSTART of the rule'],
  ])('a start of %s beside %s', (start, rule, fault) => {
    expect(faultsOf(rule, start)).toEqual({ start: [fault] })
  })

  it('no start at all, with a clock of the next century', () => {
    const sent = { rule: 'FREQ=DAILY', zone: 'UTC' }
    expect(readRecurrence(sent, new Date('2150-01-01T00:00:00Z'))).toEqual({
      kind: 'faults',
      faults: {
        start: ['must lie in the years from 1900 to 2099: with a later clock, send a start'],
      },
    })
    expect(readRecurrence(sent, new Date('2099-12-31T23:58:59Z')).kind).toBe('recurrence')
  })
})

describe('in English', () => {
  it.each([
    ['FREQ=MONTHLY;COUNT=12', 'every month on the 31st (or the last day) at 09:00, *, 12 times'],
    ['FREQ=YEARLY;COUNT=1', 'every year on the 31st of January at 09:00, *, once'],
    ['FREQ=WEEKLY;INTERVAL=2', 'every 2 weeks on Saturday at 09:00, *'],
    [
      'FREQ=DAILY;BYMONTH=1,2;BYHOUR=9,17;UNTIL=20261231',
      'every day in January and February at 09:00 and 17:00, *, until 31 December 2026',
    ],
    [
      'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH,-1MO',
      'every year on the last Monday and the 4th Thursday of November at 09:00, *',
    ],
    ['FREQ=YEARLY;BYDAY=20MO', 'every year on the 20th Monday of the year at 09:00, *'],
    ['FREQ=YEARLY;BYMONTHDAY=-2', 'every year on the 2nd to last day of every month at 09:00, *'],
    [
      'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR',
      'every month on the 13th if that is Friday at 09:00, *',
    ],
    [
      'FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1,-1',
      'every month on Saturday and Sunday at 09:00, only the last and 1st of these, *',
    ],
    [
      'FREQ=HOURLY;BYMINUTE=30',
      'every hour at minute 30, counted from 31 January 2026 at 09:00, *',
    ],
    [
      'FREQ=MINUTELY;INTERVAL=15;BYMINUTE=0,30;BYDAY=MO',
      'every 15 minutes on Monday at minutes 0 and 30, counted from 31 January 2026 at 09:00, *',
    ],
    ['FREQ=HOURLY;BYHOUR=9,10', 'every day at 09:00 and 10:00, *'],
    ['FREQ=HOURLY;INTERVAL=6', 'every 6 hours, counted from 31 January 2026 at 09:00, *'],
    [
      'FREQ=DAILY;BYMINUTE=0,15,30,45;BYHOUR=8,9,10,11',
      'every day at 16 times from 08:00 to 11:45, *',
    ],
    [
      'FREQ=DAILY;UNTIL=20270101T000000Z\nEXDATE:20260201T090000\nRDATE:20260301T1200,20260302',
      'every day at 09:00, *, until 31 December 2026 at 19:00, without 1 date, and on 2 dates more',
    ],
  ])('%s', (rule, text) => {
    expect(ruleText(taken(rule, FIRST))).toBe(text.replace('*', EASTERN))
  })
})

function taken(rule: string, start?: string): Recurrence {
  const reading = readRecurrence({ rule, start, zone: EASTERN }, NOW)
  if (reading.kind === 'faults') throw new Error(JSON.stringify(reading.faults))
  return reading.recurrence
}

function faultsOf(rule: string, start: string, zone = EASTERN): unknown {
  const reading = readRecurrence({ rule, start, zone }, NOW)
  return reading.kind === 'faults' ? reading.faults : 'none'
}
