import { describe, expect, it } from 'vitest'
import {
  anchorOf,
  lastOccurrence,
  readRecurrence,
  ruleOf,
  ruleText,
  storedRecurrence,
} from '../../src/core/recurrence.ts'
import { CALENDAR_RUNS } from '../support/calendar-runs.ts'
import { firstMinute, instantOf, localOf } from '../support/minute-scan.ts'
import { RUNS_BY_THE_CLOCK } from '../support/recurrence-runs.ts'
import { firstOf, NOW, recurrenceTextOf, taken } from '../support/recurrences.ts'
import { BARELY_TAKEN, REFUSED } from '../support/refused-recurrences.ts'

const EASTERN = 'America/New_York'

/** Occurrences that are asked for beyond the end of a rule. */
const BEYOND = 5

const beyond = (rule: string) => (/COUNT|UNTIL/.test(rule) ? BEYOND : 0)

describe('a schedule with times runs at', () => {
  it.each(RUNS_BY_THE_CLOCK)('$name', ({ rule, start, zone = EASTERN, runs }) => {
    const recurrence = taken(rule, start, zone)
    expect(firstOf(recurrence, runs.length + beyond(rule)).map(recurrenceTextOf)).toEqual(runs)
  })
})

describe('a schedule with dates runs on', () => {
  it.each(CALENDAR_RUNS)('$name', ({ rule, start, dates }) => {
    const runs = dates
      .split(' ')
      .map((date) => instantOf(firstMinute(EASTERN, localOf(date, '09:00'))))
    const recurrence = taken(rule, `${start}T09:00:00`)
    expect(firstOf(recurrence, runs.length + beyond(rule))).toEqual(runs)
  })

  it('several times a day, if it names them', () => {
    const recurrence = taken('FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30', '2026-01-01T09:15:00')
    expect(firstOf(recurrence, 4).map(recurrenceTextOf)).toEqual([
      '2026-01-01T14:30Z',
      '2026-01-01T22:00Z',
      '2026-01-01T22:30Z',
      '2026-01-02T14:00Z',
    ])
  })

  it('at the second, if its start has one', () => {
    const recurrence = taken('FREQ=DAILY;COUNT=1', '2026-01-01T09:00:30')
    expect(firstOf(recurrence, 2)).toEqual([new Date('2026-01-01T14:00:30Z')])
  })
})

describe('the end of a schedule', () => {
  it.each([
    ['a local time', '20260309T090000', 3],
    ['a second before it', '20260309T085959', 2],
    ['a date, to its very end', '20260309', 3],
    ['an instant', '20260309T130000Z', 3],
    ['a second before that', '20260309T125959Z', 2],
    ['a time in the gap, before that day’s run', '20260308T023000', 1],
  ])('is %s: %s', (_, until, count) => {
    const recurrence = taken(`FREQ=DAILY;UNTIL=${until}`, '2026-03-07T09:00:00')
    const runs = ['2026-03-07T14:00Z', '2026-03-08T13:00Z', '2026-03-09T13:00Z'].slice(0, count)
    expect(firstOf(recurrence, 5).map(recurrenceTextOf)).toEqual(runs)
    expect(lastOccurrence(recurrence)).toEqual(new Date(runs.at(-1) ?? ''))
  })

  it.each([
    ['a date with a run late at night', '2026-03-07T23:59:00', '20260308', 2],
    ['a time in the gap, at which it runs after it', '2026-03-07T02:30:00', '20260308T023000', 2],
    ['the instant after the gap', '2026-03-07T02:30:00', '20260308T070000Z', 2],
    ['the instant before the gap', '2026-03-07T02:30:00', '20260308T065959Z', 1],
    ['the start itself', '2026-03-07T02:30:00', '20260307T023000', 1],
  ])('is %s', (_, start, until, count) => {
    expect(firstOf(taken(`FREQ=DAILY;UNTIL=${until}`, start), 5)).toHaveLength(count)
  })

  it.each([
    ['never comes', 'FREQ=DAILY', undefined],
    ['is the last that is counted', 'FREQ=DAILY;COUNT=3', '2026-01-03T14:00:00Z'],
    [
      'is the last that is not taken out',
      'FREQ=DAILY;COUNT=3\nEXDATE:20260103T090000',
      '2026-01-02T14:00:00Z',
    ],
    ['is one that is added', 'FREQ=DAILY;COUNT=3\nRDATE:20260301T090000', '2026-03-01T14:00:00Z'],
    [
      'is not one that is added before it',
      'FREQ=MONTHLY;COUNT=2\nRDATE:20260102T090000',
      '2026-02-01T14:00:00Z',
    ],
    ['is the last that matches', 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20260118', '2026-01-12T14:00:00Z'],
  ])('%s', (_, rule, last) => {
    const found = lastOccurrence(taken(rule, '2026-01-01T09:00:00'))
    expect(found).toEqual(last === undefined ? undefined : new Date(last))
  })
})

describe('a start', () => {
  const rule = 'FREQ=MONTHLY;COUNT=3'

  it.each([
    [rule, '2026-01-31T09:00:00'],
    [rule, '2026-01-31 09:00:00'],
    [rule, '20260131T090000'],
    [rule, '2026-01-31T09:00'],
    [rule, '2026-01-31T14:00:00Z'],
    [rule, '2026-01-31T09:00:00-05:00'],
    [rule, '2026-01-31T19:30:00+05:30'],
    [`DTSTART:20260131T090000\nRRULE:${rule}`, undefined],
    [`DTSTART:20260131T140000Z\r\nRRULE:${rule}\r\n`, undefined],
    [`DTSTART;TZID=America/New_York:20260131T090000\n${rule}`, undefined],
    [`RRULE:${rule}\nDTSTART:20260131T090000`, '2026-01-31T14:00:00Z'],
    [`FREQ=MONTHLY;DTSTART=20260131T090000;COUNT=3`, undefined],
    [`RRULE:FREQ=MONTHLY;DTSTART=20260131T140000Z;COUNT=3`, undefined],
    [`dtstart:20260131t090000\nrrule:${rule.toLowerCase()}`, undefined],
  ])('is read from %j with %j', (text, start) => {
    const recurrence = taken(text, start)
    expect(anchorOf(recurrence)).toBe('2026-01-31T09:00:00')
    expect(firstOf(recurrence, 9).map(recurrenceTextOf)).toEqual([
      '2026-01-31T14:00Z',
      '2026-02-28T14:00Z',
      '2026-03-31T13:00Z',
    ])
  })

  it.each([
    ['2026-01-31', '2026-01-31T00:00:00'],
    ['20260131', '2026-01-31T00:00:00'],
  ])('that is a date, %s, is its midnight', (start, anchor) => {
    expect(anchorOf(taken(rule, start))).toBe(anchor)
  })

  it('is the next full minute if none is sent', () => {
    const now = new Date('2026-01-01T14:59:30.500Z')
    const read = readRecurrence({ rule, zone: EASTERN }, now)
    expect(read.kind === 'recurrence' && anchorOf(read.recurrence)).toBe('2026-01-01T10:00:00')
  })
})

describe('a schedule is refused', () => {
  it.each(REFUSED)('by $field: $rule, $start $zone', ({ field = 'rule', message, ...sent }) => {
    const read = readRecurrence({ zone: EASTERN, start: undefined, ...sent }, NOW)
    expect(read.kind).toBe('faults')
    const faults = read.kind === 'faults' ? read.faults : {}
    expect(Object.keys(faults)).toEqual([field])
    expect(faults[field]?.some((fault) => message.test(fault))).toBe(true)
  })

  it('for all its faults at once', () => {
    const sent = { rule: 'FREQ=DAILY;COUNT=0;BYDAY=XX', start: 'soon', zone: 'Mars/Base' }
    const read = readRecurrence(sent, NOW)
    const faults = read.kind === 'faults' ? read.faults : {}
    expect(Object.keys(faults).sort()).toEqual(['rule', 'start', 'timezone'])
    expect(faults.rule).toHaveLength(2)
  })
})

describe('a schedule is accepted', () => {
  it.each(BARELY_TAKEN)('at the limits: %s', (rule) => {
    expect(firstOf(taken(rule, '2026-01-01T09:00:00'), 1)).toHaveLength(1)
  })
})

describe('a stored rule', () => {
  it('has the rule in its first line, and dates as local times in others', () => {
    const text = 'DTSTART:20260131T140000Z\nRRULE:FREQ=MONTHLY;COUNT=3\nRDATE:20260301T140000Z'
    const lines = ruleOf(taken(`${text}\nexdate:20260228T140000Z`)).split('\n')
    expect(lines[0]).toMatch(/^RRULE:FREQ=MONTHLY;(.*;)?COUNT=3$/)
    expect(lines.slice(1).sort()).toEqual(['EXDATE:20260228T090000', 'RDATE:20260301T090000'])
  })

  it.each(['', 'FREQ=NEVER', 'RRULE:FREQ=DAILY;COUNT=0', 'nonsense'])('cannot be %j', (rule) => {
    expect(() => storedRecurrence(rule, '2026-01-31T09:00:00', EASTERN)).toThrow()
  })

  it.each([
    [
      'FREQ=MONTHLY;COUNT=12',
      'every month on the 31st (or the last day) at 09:00, America/New_York, 12 times',
    ],
    [
      'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
      'every year on Monday in week 20 at 09:00, America/New_York',
    ],
    [
      'FREQ=YEARLY;BYWEEKNO=-1',
      'every year on Saturday in the last week at 09:00, America/New_York',
    ],
    [
      'FREQ=YEARLY;BYYEARDAY=1,-1',
      'every year on the last day and the 1st day of the year at 09:00, America/New_York',
    ],
    [
      'FREQ=YEARLY;BYYEARDAY=100;BYDAY=FR,SA;BYMONTH=4',
      'every year on the 100th day of the year in April if that is Friday or Saturday at 09:00, America/New_York',
    ],
    [
      'FREQ=YEARLY;BYWEEKNO=1,2;BYMONTHDAY=13,14',
      'every year on the 13th and the 14th in week 1 and week 2 at 09:00, America/New_York',
    ],
    [
      'FREQ=HOURLY;INTERVAL=6;BYYEARDAY=60',
      'every 6 hours on the 60th day of the year, counted from 31 January 2026 at 09:00, America/New_York',
    ],
  ])('is described in words: %s', (rule, words) => {
    expect(ruleText(taken(rule, '2026-01-31T09:00:00'))).toBe(words)
  })
})
