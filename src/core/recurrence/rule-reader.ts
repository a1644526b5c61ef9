// Reads a rule part by part and reports the faults of each. rule-limits.ts checks how the parts
// combine.

import type { Complain } from './lines.ts'
import { excerpt, numberList, numberOf, type RuleParts, wholeOf } from './parts.ts'
import {
  FREQUENCIES,
  type Frequency,
  type NthWeekday,
  type Rule,
  WEEKDAYS,
  type WrittenTime,
} from './rule.ts'
import { MOST_COUNT } from './steps.ts'
import { readMoment } from './times.ts'

/** In the rule's own unit. In minutes, some people write that many hours. */
const MOST_INTERVAL = 1_000
const MOST_MINUTES = 60 * MOST_INTERVAL

const WEEKDAY = /^([+-]?[1-9]\d?)?(MO|TU|WE|TH|FR|SA|SU)$/

/** Undefined if the frequency is missing or invalid. */
export function readRule(parts: RuleParts, complain: Complain): Rule | undefined {
  const frequency = readFrequency(parts.get('FREQ'), complain)
  refuseSeconds(parts.get('BYSECOND'), complain)
  const list = (name: string, least: number, most: number, isSigned = false) =>
    numberList(name, { parts, least, most, isSigned }, complain)
  const number = (name: string, most: number) => numberOf(name, { parts, least: 1, most }, complain)
  const others = {
    interval: number('INTERVAL', frequency === 'MINUTELY' ? MOST_MINUTES : MOST_INTERVAL) ?? 1,
    count: readCount(parts.get('COUNT'), complain),
    until: readUntil(parts.get('UNTIL'), complain),
    months: list('BYMONTH', 1, 12),
    weeks: list('BYWEEKNO', 1, 53, true),
    yearDays: list('BYYEARDAY', 1, 366, true),
    monthDays: list('BYMONTHDAY', 1, 31, true),
    weekdays: readWeekdays(parts.get('BYDAY'), complain),
    hours: list('BYHOUR', 0, 23),
    minutes: list('BYMINUTE', 0, 59),
    positions: list('BYSETPOS', 1, 366, true),
    weekStart: readWeekStart(parts.get('WKST'), complain),
  }
  return frequency && { frequency, ...others }
}

function readFrequency(text: string | undefined, complain: Complain): Frequency | undefined {
  const frequency = FREQUENCIES.find((one) => one === text)
  if (text === undefined) complain('must have a FREQ')
  else if (text === 'SECONDLY') complain('must not be finer than 15 minutes')
  else if (frequency === undefined)
    complain(`must have a FREQ of ${FREQUENCIES.join(', ')}, not ${excerpt(text)}`)
  return frequency
}

/** Some clients write 0. The second is that of the start, which is 0 unless the start has one. */
function refuseSeconds(text: string | undefined, complain: Complain): void {
  if (text !== undefined && wholeOf(text, false) !== 0) {
    complain('must not have a BYSECOND other than 0')
  }
}

/** A stored rule may have a greater count than is accepted now. */
function readCount(text: string | undefined, complain: Complain): number | undefined {
  const count = text === undefined ? undefined : wholeOf(text, false)
  if (count === undefined || count >= 1) return count
  complain(`must have COUNT from 1 to ${MOST_COUNT}`)
  return undefined
}

function readUntil(text: string | undefined, complain: Complain): WrittenTime | undefined {
  const until = text === undefined ? undefined : readMoment(text)
  if (text !== undefined && until === undefined) {
    complain('must have an UNTIL such as 20261231 or 20261231T235959Z')
  }
  return until
}

function readWeekdays(text: string | undefined, complain: Complain): readonly NthWeekday[] {
  const found = new Map<string, NthWeekday>()
  for (const one of text?.split(',') ?? []) {
    const [, nth = '0', name] = WEEKDAY.exec(one.trim()) ?? []
    if (name === undefined) {
      complain(`must have a BYDAY such as MO or -1FR, not ${excerpt(one)}`)
    } else {
      found.set(`${Number(nth)}${name}`, { nth: Number(nth), weekday: WEEKDAYS.indexOf(name) })
    }
  }
  return [...found.values()].sort((a, b) => a.nth - b.nth || a.weekday - b.weekday)
}

function readWeekStart(text: string | undefined, complain: Complain): number {
  if (text === undefined) return 0
  const weekday = WEEKDAYS.indexOf(text)
  if (weekday < 0) complain(`must have a WKST such as MO, not ${excerpt(text)}`)
  return weekday
}
