// Recurrence in the simplest way: look at every local date, check whether the rule selects it, and
// look up when the clocks show the time. Nothing is computed ahead.

import { DAY, dateOf, firstMinute, isDate, localOf } from './minute-scan.ts'

export interface PlainRule {
  readonly freq: 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'DAILY'
  readonly interval: number
  readonly byMonth: readonly number[]
  /** Only in yearly rules, as is the next one. */
  readonly byWeekNo: readonly number[]
  readonly byYearDay: readonly number[]
  readonly byMonthDay: readonly number[]
  readonly byDay: readonly { readonly nth: number; readonly weekday: Weekday }[]
  readonly byHour: readonly number[]
  readonly byMinute: readonly number[]
  readonly bySetPos: readonly number[]
  readonly weekStart: Weekday
  readonly count: number | undefined
}

export interface PlainAnchor {
  readonly date: string
  readonly time: string
  readonly zone: string
}

export const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

export type Weekday = (typeof WEEKDAYS)[number]

/** The properties of a local date that rules use. */
interface Day {
  readonly midnight: number
  readonly year: number
  readonly month: number
  readonly date: number
  readonly weekday: Weekday
  readonly monthLength: number
  readonly dateInYear: number
  readonly yearLength: number
}

const known = new Map<number, Day>()

/** The first occurrences within this many days of the anchor, as minutes, each instant once. */
export function plainOccurrences(
  rule: PlainRule,
  anchor: PlainAnchor,
  { days, most }: { readonly days: number; readonly most: number },
): readonly number[] {
  const start = localOf(anchor.date, anchor.time)
  const wanted = Math.min(rule.count ?? most, most)
  const found = new Set<number>()
  let index = 0
  for (const period of periodsFrom(rule, anchor, days)) {
    const isDue = index++ % rule.interval === 0
    for (const local of isDue ? inPlaces(rule, timesOf(rule, anchor, period)) : []) {
      if (local < start || !isDate(anchor.zone, localOf(dateOf(local)))) continue
      found.add(firstMinute(anchor.zone, local))
      if (found.size === wanted) return [...found]
    }
  }
  return [...found]
}

export function ruleText(rule: PlainRule): string {
  const lists = {
    BYMONTH: rule.byMonth,
    BYWEEKNO: rule.byWeekNo,
    BYYEARDAY: rule.byYearDay,
    BYMONTHDAY: rule.byMonthDay,
    BYDAY: rule.byDay.map(({ nth, weekday }) => `${nth === 0 ? '' : nth}${weekday}`),
    BYHOUR: rule.byHour,
    BYMINUTE: rule.byMinute,
    BYSETPOS: rule.bySetPos,
    COUNT: rule.count === undefined ? [] : [rule.count],
  }
  const written = Object.entries(lists)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}=${values.join(',')}`)
  const head = [`FREQ=${rule.freq}`, `INTERVAL=${rule.interval}`, `WKST=${rule.weekStart}`]
  return [...head, ...written].join(';')
}

/** The days of every period from the anchor's own, from its first day: one list for each period. */
function* periodsFrom(rule: PlainRule, anchor: PlainAnchor, days: number): Generator<Day[]> {
  const anchored = localOf(anchor.date)
  let midnight = anchored
  while (!isFirst(rule, dayOf(midnight))) midnight -= DAY
  let period: Day[] = []
  for (; midnight <= anchored + days * DAY; midnight += DAY) {
    const day = dayOf(midnight)
    if (isFirst(rule, day) && period.length > 0) {
      yield period
      period = []
    }
    period.push(day)
  }
}

function isFirst(rule: PlainRule, day: Day): boolean {
  switch (rule.freq) {
    case 'YEARLY':
      return day.dateInYear === 1
    case 'MONTHLY':
      return day.date === 1
    case 'WEEKLY':
      return day.weekday === rule.weekStart
    case 'DAILY':
      return true
  }
}

function timesOf(rule: PlainRule, anchor: PlainAnchor, period: readonly Day[]): readonly number[] {
  const [hour = 0, minute = 0] = anchor.time.split(':').map(Number)
  const hours = rule.byHour.length > 0 ? rule.byHour : [hour]
  const minutes = rule.byMinute.length > 0 ? rule.byMinute : [minute]
  const times = hours.flatMap((h) => minutes.map((m) => h * 60 + m)).sort((a, b) => a - b)
  const anchored = dayOf(localOf(anchor.date))
  return period
    .filter((day) => isWanted(rule, anchored, day))
    .flatMap((day) => times.map((time) => day.midnight + time))
}

function isWanted(rule: PlainRule, anchor: Day, day: Day): boolean {
  const isSilent = [rule.byDay, rule.byMonthDay, rule.byYearDay].every((part) => part.length === 0)
  if (rule.byMonth.length > 0 && !rule.byMonth.includes(day.month)) return false
  if (rule.byWeekNo.length > 0 && !rule.byWeekNo.some((n) => isInWeek(rule, day, n))) return false
  if (rule.byYearDay.length > 0 && !rule.byYearDay.some((n) => isDayOfYear(day, n))) return false
  if (rule.byMonthDay.length > 0 && !rule.byMonthDay.some((n) => isDateOf(day, n))) return false
  if (rule.byDay.length > 0 && !rule.byDay.some((one) => isWeekdayOf(rule, day, one))) return false
  if (!isSilent) return true
  if (rule.byWeekNo.length > 0) return day.weekday === anchor.weekday
  switch (rule.freq) {
    case 'YEARLY':
      return isDateOf(day, anchor.date) && (rule.byMonth.length > 0 || day.month === anchor.month)
    case 'MONTHLY':
      return isDateOf(day, anchor.date)
    case 'WEEKLY':
      return day.weekday === anchor.weekday
    case 'DAILY':
      return true
  }
}

function isDayOfYear(day: Day, wanted: number): boolean {
  return day.dateInYear === (wanted > 0 ? wanted : day.yearLength + 1 + wanted)
}

/** A week belongs to the year with most of its days, which is the year of its fourth day. */
function isInWeek(rule: PlainRule, day: Day, wanted: number): boolean {
  let first = day
  while (first.weekday !== rule.weekStart) first = dayOf(first.midnight - DAY)
  const fourth = dayOf(first.midnight + 3 * DAY)
  const after = Math.floor((fourth.yearLength - fourth.dateInYear) / 7)
  const number = Math.ceil(fourth.dateInYear / 7)
  return wanted === (wanted > 0 ? number : -1 - after)
}

/** A date that the month lacks is its last one. */
function isDateOf(day: Day, wanted: number): boolean {
  if (wanted < 0) return day.date === day.monthLength + 1 + wanted
  return day.date === Math.min(wanted, day.monthLength)
}

function isWeekdayOf(rule: PlainRule, day: Day, wanted: PlainRule['byDay'][number]): boolean {
  if (day.weekday !== wanted.weekday) return false
  if (wanted.nth === 0) return true
  const isOfMonth = rule.freq === 'MONTHLY' || rule.byMonth.length > 0
  const place = isOfMonth ? day.date : day.dateInYear
  const length = isOfMonth ? day.monthLength : day.yearLength
  return wanted.nth > 0
    ? Math.ceil(place / 7) === wanted.nth
    : Math.ceil((length + 1 - place) / 7) === -wanted.nth
}

function inPlaces(rule: PlainRule, times: readonly number[]): readonly number[] {
  if (rule.bySetPos.length === 0) return times
  return times.filter(
    (_, index) => rule.bySetPos.includes(index + 1) || rule.bySetPos.includes(index - times.length),
  )
}

function dayOf(midnight: number): Day {
  const day = known.get(midnight) ?? lookUp(midnight)
  known.set(midnight, day)
  return day
}

function lookUp(midnight: number): Day {
  const at = new Date(midnight * 60_000)
  const year = at.getUTCFullYear()
  const month = at.getUTCMonth()
  const midnightOf = (m: number, date: number) => Date.UTC(year, m, date) / 60_000
  return {
    midnight,
    year,
    month: month + 1,
    date: at.getUTCDate(),
    weekday: WEEKDAYS[at.getUTCDay()] ?? 'SU',
    monthLength: (midnightOf(month + 1, 1) - midnightOf(month, 1)) / DAY,
    dateInYear: (midnight - midnightOf(0, 1)) / DAY + 1,
    yearLength: (midnightOf(12, 1) - midnightOf(0, 1)) / DAY,
  }
}
