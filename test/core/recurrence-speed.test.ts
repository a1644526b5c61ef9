// The cost limits of schedules and business days: a thousandth of a noticeable time.

import { describe, expect, it } from 'vitest'
import { businessDayOf } from '../../src/core/business-day.ts'
import { nextOccurrence, readRecurrence } from '../../src/core/recurrence.ts'
import { HOUR } from '../../src/core/time-units.ts'
import { NOW, taken } from '../support/recurrences.ts'

const CALLS = 2_000

/** The best round counts: during the first ones the code is still being compiled. */
const ROUNDS = 5

describe('a schedule begun in 1999', () => {
  it.each([
    ['FREQ=DAILY'],
    ['FREQ=WEEKLY;BYDAY=MO,WE,FR'],
    ['FREQ=MONTHLY'],
    ['FREQ=YEARLY'],
    ['FREQ=HOURLY;INTERVAL=6;BYDAY=MO'],
    ['FREQ=MINUTELY;INTERVAL=15'],
    ['FREQ=MINUTELY;BYMINUTE=0,15,30,45'],
    ['FREQ=HOURLY;INTERVAL=2;BYMINUTE=0,15,30,45;BYDAY=MO'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'],
    ['FREQ=DAILY;INTERVAL=2;COUNT=10000'],
    ['FREQ=MONTHLY;BYMONTHDAY=30,31;COUNT=2000'],
  ])('has its next run in less than a millisecond: %s', (rule) => {
    const recurrence = taken(rule, '1999-01-31T02:30:00')
    expectCheap(1, (after) => {
      const run = nextOccurrence(recurrence, after)?.getTime()
      return run !== undefined && run > after.getTime()
    })
  })
})

describe('the business day of a charge', () => {
  it('is computed in less than ten microseconds', () => {
    const cutoff = { time: '20:00', zone: 'America/New_York' }
    expectCheap(0.01, (at) => businessDayOf(at, cutoff).cutoffAt > at)
  })
})

describe('a rule that never falls due', () => {
  it.each([
    'FREQ=DAILY;BYDAY=MO;BYSETPOS=-2',
    'FREQ=MINUTELY;INTERVAL=15;BYMONTH=2;BYMONTHDAY=-30',
    'FREQ=YEARLY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=-30',
    'FREQ=HOURLY;BYHOUR=9;BYMONTH=2;BYMONTHDAY=-30',
  ])('is recognised in less than a second: %s', (rule) => {
    const began = process.cpuUsage()
    const read = readRecurrence({ rule, start: '1999-01-31', zone: 'America/New_York' }, NOW)
    expect(read).toEqual({ kind: 'faults', faults: { rule: ['never comes due'] } })
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(1_000)
  })
})

/** The average, warm, in this process’s own CPU time: others may use the processor meanwhile. */
function expectCheap(ms: number, ask: (at: Date) => boolean): void {
  const instants = Array.from({ length: CALLS }, (_, i) => new Date(NOW.getTime() + i * HOUR))
  expect(instants.filter(ask)).toHaveLength(CALLS)
  const rounds = Array.from({ length: ROUNDS }, () => {
    const began = process.cpuUsage()
    for (const at of instants) ask(at)
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1_000 / CALLS
  })
  expect(Math.min(...rounds)).toBeLessThan(ms)
}
