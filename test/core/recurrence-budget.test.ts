// The cost limits of reading and continuing a rule, and the refusal beyond them.

import { describe, expect, it } from 'vitest'
import {
  isTooComplex,
  lastOccurrence,
  nextOccurrence,
  occurrencesAfter,
  readRecurrence,
  storedRecurrence,
} from '../../src/core/recurrence.ts'
import { COSTLY_RULES, EVERY_DAY, EVERY_QUARTER } from '../support/costly-rules.ts'
import { NOW, recurrenceTextOf } from '../support/recurrences.ts'

const START = '2026-01-31T09:00:00'
const ZONE = 'America/New_York'

/** The limit on a shared processor; a scan of a century took 1,200. */
const MOST_MS = 100

const dates = (count: number) =>
  Array.from({ length: count }, (_, day) =>
    new Date(Date.UTC(2026, 1, 1 + day)).toISOString().replace(/-|T.*/g, ''),
  ).join()

function answerTo(rule: string): string {
  try {
    const read = readRecurrence({ rule, start: START, zone: ZONE }, NOW)
    if (read.kind === 'faults') return JSON.stringify(read.faults)
    occurrencesAfter(read.recurrence, NOW, 12)
    lastOccurrence(read.recurrence)
    return 'taken'
  } catch (error) {
    if (isTooComplex(error)) return 'rule_too_complex'
    throw error
  }
}

/** The best of a few rounds: during the first ones the code is still being compiled. */
function costOf(ask: () => unknown): number {
  const rounds = [1, 2, 3].map(() => {
    const began = process.cpuUsage()
    ask()
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1_000
  })
  return Math.min(...rounds)
}

describe('a rule that is expensive to read or to continue', () => {
  it.each(COSTLY_RULES)('is refused cheaply: %s', (_, rule) => {
    expect(answerTo(rule)).toBe('rule_too_complex')
    expect(costOf(() => answerTo(rule))).toBeLessThan(MOST_MS)
  })

  it('is refused if only later years are expensive', () => {
    // Until 2040 it comes each year, and then never again within a century.
    const years = Array.from({ length: 159 }, (_, at) => `${2041 + at}0101T090000`).join()
    const rule = `FREQ=YEARLY;BYDAY=${EVERY_DAY};BYSETPOS=1\nEXDATE:${years}`
    expect(answerTo(rule)).toBe('rule_too_complex')
    expect(answerTo(rule.replace(/,204.*$/, ''))).toBe('taken')
  })
})

describe('a rule within the limits is accepted', () => {
  it.each([
    ['leap days that clamp', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29'],
    ['leap days', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-29'],
    ['leap days that are Mondays', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-29;BYDAY=MO'],
    ['Friday the 13th', 'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR'],
    ['Friday the 13th, day by day', 'FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR'],
    ['the last Friday', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['a 53rd Monday', 'FREQ=YEARLY;BYDAY=53MO'],
    ['day 366', `FREQ=YEARLY;BYDAY=${EVERY_DAY};BYSETPOS=366`],
    ['every quarter of an hour', 'FREQ=MINUTELY;INTERVAL=15'],
    ['the same, said at length', `FREQ=YEARLY;BYDAY=${EVERY_DAY};${EVERY_QUARTER}`],
    ['the same, for a century', `FREQ=YEARLY;BYDAY=${EVERY_DAY};${EVERY_QUARTER};UNTIL=21251231`],
    ['every thousandth year', 'FREQ=YEARLY;INTERVAL=1000'],
    ['as many as may be counted', 'FREQ=DAILY;COUNT=10000'],
    ['every quarter of an hour, minute by minute', 'FREQ=MINUTELY;BYMINUTE=0,15,30,45;COUNT=10000'],
    ['hours far apart', 'FREQ=HOURLY;INTERVAL=1000;BYMINUTE=0,15,30,45;BYMONTH=2'],
    ['every hour of a leap day', 'FREQ=HOURLY;BYHOUR=9;BYMINUTE=30;BYMONTH=2;BYMONTHDAY=-29'],
    ['as many quarters', 'FREQ=MINUTELY;INTERVAL=15;BYDAY=MO;COUNT=10000'],
    ['as many dates as may be', `RRULE:FREQ=DAILY\nEXDATE:${dates(500)}\nRDATE:${dates(500)}`],
  ])('%s', (_, rule) => {
    expect(answerTo(rule)).toBe('taken')
    expect(costOf(() => answerTo(rule))).toBeLessThan(MOST_MS)
  })
})

describe('a rule that was stored before there were limits', () => {
  it('is read with its stored end, which is not counted again', () => {
    const rule = 'RRULE:FREQ=MINUTELY;INTERVAL=15;COUNT=1000000;BYDAY=MO'
    const endAt = new Date('2026-03-02T14:15:00Z')
    const read = () => storedRecurrence(rule, START, ZONE, endAt)
    expect(costOf(read)).toBeLessThan(MOST_MS)
    const recurrence = read()
    const last = nextOccurrence(recurrence, new Date('2026-03-02T14:00:00Z'))
    expect(last && recurrenceTextOf(last)).toBe('2026-03-02T14:15Z')
    expect(nextOccurrence(recurrence, endAt)).toBeUndefined()
    expect(() => storedRecurrence(rule, START, ZONE)).toThrow('COUNT from 1 to 10000')
  })
})

it('a refusal lists a limited number of faults', () => {
  const rule = Array.from({ length: 5_000 }, (_, at) => `X${at}=1`).join(';')
  const read = readRecurrence({ rule: `FREQ=DAILY;${rule}`.slice(0, 32_000), zone: ZONE }, NOW)
  expect(read.kind === 'faults' && read.faults.rule?.length).toBe(20)
})
