// Rules of every kind, in zones with unusual clock changes.

import fc from 'fast-check'
import type { PlainElapsed } from './plain-elapsed.ts'
import { type PlainAnchor, type PlainRule, WEEKDAYS } from './plain-recurrence.ts'

const ZONES = [
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'America/Asuncion',
  'America/Caracas',
  'America/Havana',
  'America/Nuuk',
  'America/Sao_Paulo',
  'Atlantic/Azores',
  'Europe/Dublin',
  'UTC',
]

const TIMES = ['00:00', '00:30', '01:30', '02:00', '02:15', '02:45', '09:00', '20:00', '23:30']
const MINUTES = [[0], [10], [0, 30], [15, 45], [0, 15, 30, 45]]
const DATES_OF_MONTH = [1, 2, 13, 15, 28, 29, 30, 31, -1, -2, -28, -29, -30, -31]
const WEEKS = [1, 2, 20, 52, 53, -1, -2, -53]
const DAYS_OF_YEAR = [1, 2, 59, 60, 100, 365, 366, -1, -2, -100, -366]
const PLACES = [1, 2, 3, 5, 10, -1, -2, -3, -5]

export const anchors: fc.Arbitrary<PlainAnchor> = fc.record({
  date: fc
    .date({ min: new Date('2000-01-01'), max: new Date('2032-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  time: fc.constantFrom(...TIMES),
  zone: fc.constantFrom(...ZONES),
})

const count = fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined })

export const rules: fc.Arbitrary<PlainRule> = fc
  .record({
    freq: fc.constantFrom('YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY'),
    interval: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 5 })),
    byMonth: sometimes(fc.integer({ min: 1, max: 12 }), 3),
    byWeekNo: sometimes(fc.constantFrom(...WEEKS), 4),
    byYearDay: sometimes(fc.constantFrom(...DAYS_OF_YEAR), 4),
    byMonthDay: sometimes(fc.constantFrom(...DATES_OF_MONTH), 3),
    byDay: sometimes(
      fc.record({
        nth: fc.oneof(fc.constant(0), fc.integer({ min: -53, max: 53 })),
        weekday: fc.constantFrom(...WEEKDAYS),
      }),
      4,
    ),
    byHour: sometimes(fc.constantFrom(0, 1, 2, 3, 9, 23), 3),
    byMinute: fc.option(fc.constantFrom(...MINUTES), { nil: [], freq: 3 }),
    bySetPos: sometimes(fc.constantFrom(...PLACES), 2),
    weekStart: fc.constantFrom(...WEEKDAYS),
    count,
  })
  .map((rule) => allowed(rule))

export const elapsedRules: fc.Arbitrary<PlainElapsed> = fc
  .record({
    freq: fc.constantFrom('HOURLY', 'MINUTELY'),
    interval: fc.integer({ min: 1, max: 200 }),
    byMonth: sometimes(fc.integer({ min: 1, max: 12 }), 8),
    // With more, a rule that is hardly ever due may take too many steps to continue.
    byYearDay: sometimes(fc.constantFrom(...DAYS_OF_YEAR), 2),
    byMonthDay: sometimes(fc.constantFrom(...DATES_OF_MONTH), 4),
    byDay: sometimes(fc.constantFrom(...WEEKDAYS), 4),
    byHour: sometimes(fc.constantFrom(0, 1, 2, 3, 9, 11, 13, 23), 5),
    byMinute: fc.option(fc.constantFrom(...MINUTES), { nil: [], freq: 3 }),
    count,
  })
  .map(withSteps)

const HOURS_OF_DAY = [1, 1, 2, 3, 4, 6, 8, 12, 24]
const MINUTES_OF_HOUR = [15, 20, 30, 60]
const FINER = [1, 5, 10, ...MINUTES_OF_HOUR]

/** Intervals that divide a day with BYHOUR, and none of fewer than 15 minutes. */
function withSteps(rule: PlainElapsed): PlainElapsed {
  const { freq, interval, byHour, byMinute } = rule
  const oneOf = (list: readonly number[]) => list[interval % list.length] ?? 1
  const fitting = byMinute.length > 0 ? FINER : MINUTES_OF_HOUR
  if (byHour.length > 0)
    return { ...rule, interval: oneOf(freq === 'HOURLY' ? HOURS_OF_DAY : fitting) }
  if (freq === 'HOURLY') return { ...rule, interval: Math.ceil(interval / 7) }
  return { ...rule, interval: byMinute.length > 0 ? interval : Math.max(15, interval) }
}

/** Mostly empty. */
function sometimes<T>(values: fc.Arbitrary<T>, most: number): fc.Arbitrary<readonly T[]> {
  const some = fc.uniqueArray(values, { minLength: 1, maxLength: most, selector: JSON.stringify })
  return fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some })
}

/** Removes combinations that are refused for another reason. */
function allowed(rule: PlainRule): PlainRule {
  const { freq, byMonth, byDay, byHour, byMinute } = rule
  const byMonthDay = freq === 'WEEKLY' ? [] : rule.byMonthDay
  const [byWeekNo, byYearDay] = freq === 'YEARLY' ? [rule.byWeekNo, rule.byYearDay] : [[], []]
  // A day with one time has only one position: a rule that wants another takes long to reject.
  const others =
    freq === 'DAILY'
      ? [byHour, byMinute]
      : [byMonth, byWeekNo, byYearDay, byMonthDay, byDay, byHour, byMinute]
  return {
    ...rule,
    byWeekNo,
    byYearDay,
    byMonthDay,
    byDay: byDay.map(({ nth, weekday }) => ({ nth: nthOf(rule, nth), weekday })),
    bySetPos: others.some((list) => list.length > 0) ? rule.bySetPos : [],
  }
}

function nthOf({ freq, byMonth, byWeekNo }: PlainRule, nth: number): number {
  if (freq === 'WEEKLY' || freq === 'DAILY') return 0
  if (freq === 'YEARLY' && byWeekNo.length > 0) return 0
  return freq === 'MONTHLY' || byMonth.length > 0 ? nth % 6 : nth
}
