// The hour that comes twice in autumn: a series can begin in it, the second time too. The runs
// after the start follow the rules of all other days.

import { describe, expect, it } from 'vitest'
import {
  anchorOf,
  occurrencesAfter,
  readRecurrence,
  ruleOf,
  storedRecurrence,
} from '../../src/core/recurrence.ts'
import { recurrenceTextOf } from '../support/recurrences.ts'

const NEW_YORK = 'America/New_York'
const LORD_HOWE = 'Australia/Lord_Howe'

interface Case {
  readonly rule: string
  readonly zone: string
  readonly start?: string
  readonly now?: string
}

/** The first three runs, of the rule as sent and as stored: both must be the same. */
function firstThree({ rule, zone, start, now = '2026-01-01T00:00Z' }: Case): readonly string[] {
  const read = readRecurrence({ rule, start, zone }, new Date(now))
  if (read.kind === 'faults') throw new Error(JSON.stringify(read.faults))
  const { recurrence } = read
  const stored = storedRecurrence(ruleOf(recurrence), anchorOf(recurrence), zone)
  const [sent, kept] = [recurrence, stored].map((one) =>
    occurrencesAfter(one, new Date(0), 3).map(recurrenceTextOf),
  )
  expect(kept).toEqual(sent)
  return sent ?? []
}

describe('a start with an offset in the repeated hour is that instant', () => {
  it.each([
    ['the first time', '2026-11-01T05:30Z', NEW_YORK, ['2026-11-01T05:30Z', '2026-11-02T06:30Z']],
    ['the second time', '2026-11-01T06:30Z', NEW_YORK, ['2026-11-01T06:30Z', '2026-11-02T06:30Z']],
    [
      'the second time, by its offset',
      '2026-11-01T01:30:00-05:00',
      NEW_YORK,
      ['2026-11-01T06:30Z', '2026-11-02T06:30Z'],
    ],
    [
      'the first instant of the second time',
      '2026-11-01T06:00Z',
      NEW_YORK,
      ['2026-11-01T06:00Z', '2026-11-02T06:00Z'],
    ],
    [
      'the first instant of a second hour before midnight',
      '1996-09-20T19:30Z',
      'Asia/Tehran',
      ['1996-09-20T19:30Z', '1996-09-21T19:30Z'],
    ],
    [
      'the first time, in half an hour that comes twice',
      '2026-04-04T14:45Z',
      LORD_HOWE,
      ['2026-04-04T14:45Z', '2026-04-05T15:15Z'],
    ],
    [
      'the second time, in half an hour that comes twice',
      '2026-04-04T15:15Z',
      LORD_HOWE,
      ['2026-04-04T15:15Z', '2026-04-05T15:15Z'],
    ],
  ])('%s', (_, start, zone, [first, second]) => {
    const daily = firstThree({ rule: 'FREQ=DAILY', start, zone })
    expect(daily.slice(0, 2)).toEqual([first, second])
    const inRule = `DTSTART:${start.replace(/[-:](?!\d\d:?\d*$)/g, '')}\nRRULE:FREQ=DAILY`
    if (start.endsWith('Z')) expect(firstThree({ rule: inRule, zone })).toEqual(daily)
    const [begun, next] = firstThree({ rule: 'FREQ=HOURLY', start, zone })
    expect(begun).toBe(first)
    expect(Date.parse(next ?? '') - Date.parse(begun ?? '')).toBe(3_600_000)
  })

  it('a start without an offset in it is the first time', () => {
    const start = '2026-11-01T01:30:00'
    expect(firstThree({ rule: 'FREQ=DAILY', start, zone: NEW_YORK })[0]).toBe('2026-11-01T05:30Z')
  })

  it('a yearly series that begins in it runs at the first of the two a year later', () => {
    const start = '2026-11-01T06:30Z'
    const rule = 'FREQ=YEARLY;BYMONTH=11;BYDAY=1SU'
    const [begun, next] = firstThree({ rule, start, zone: NEW_YORK })
    expect([begun, next]).toEqual(['2026-11-01T06:30Z', '2027-11-07T05:30Z'])
  })
})

describe('the first run without a start is the first one from now', () => {
  it.each([
    ['the first time', 'FREQ=DAILY', '2026-11-01T05:30Z', '2026-11-01T05:31Z'],
    ['the second time', 'FREQ=DAILY', '2026-11-01T06:30Z', '2026-11-01T06:31Z'],
    ['at the change', 'FREQ=DAILY', '2026-11-01T05:59Z', '2026-11-01T06:00Z'],
    ['each hour', 'FREQ=HOURLY', '2026-11-01T06:30Z', '2026-11-01T06:31Z'],
    ['each quarter', 'FREQ=MINUTELY;INTERVAL=15', '2026-11-01T06:30Z', '2026-11-01T06:31Z'],
    ['later in it', 'FREQ=DAILY;BYMINUTE=45;BYHOUR=1', '2026-11-01T06:30Z', '2026-11-01T06:45Z'],
    ['the day after', 'FREQ=DAILY;BYMINUTE=15;BYHOUR=1', '2026-11-01T06:30Z', '2026-11-02T06:15Z'],
    ['a control', 'FREQ=DAILY', '2026-11-01T07:30Z', '2026-11-01T07:31Z'],
  ])('%s: %s at %s', (_, rule, now, first) => {
    expect(firstThree({ rule, now, zone: NEW_YORK })[0]).toBe(first)
  })

  it('a half hour that comes twice has the same rules', () => {
    const now = '2026-04-04T15:15Z'
    expect(firstThree({ rule: 'FREQ=DAILY', now, zone: LORD_HOWE })[0]).toBe('2026-04-04T15:16Z')
  })
})
