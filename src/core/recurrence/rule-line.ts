// A recurrence as text: to be stored, shown to programs, and read again.

import { instantAt } from '../wall-clock.ts'
import type { NthWeekday, Recurrence, Rule, WrittenTime } from './rule.ts'
import { WEEKDAYS } from './rule.ts'
import { wallText, writtenLocalTime, writtenTimeText } from './times.ts'

/** Of two rules that say the same in other words it is one and the same, but for UNTIL. */
export function ruleOf({ rule, except, extra, zone }: Recurrence): string {
  return [
    `RRULE:${partsText(rule)}`,
    ...datesLine('EXDATE', except, zone),
    ...datesLine('RDATE', extra, zone),
  ].join('\n')
}

/** YYYY-MM-DDTHH:MM:SS, local; with Z where the clock shows that twice, and the second is meant. */
export function anchorOf(recurrence: Recurrence): string {
  const { anchor, origin, zone } = recurrence
  return instantAt(anchor, zone) === origin ? wallTextOf(recurrence) : `${wallText(origin)}Z`
}

/** What the wall clock shows at the start. */
export function wallTextOf({ anchor }: Recurrence): string {
  return wallText(anchor)
}

function partsText(rule: Rule): string {
  return [
    `FREQ=${rule.frequency}`,
    ...(rule.interval === 1 ? [] : [`INTERVAL=${rule.interval}`]),
    ...(rule.count === undefined ? [] : [`COUNT=${rule.count}`]),
    ...untilPart(rule.until),
    ...listPart('BYMONTH', rule.months),
    ...listPart('BYMONTHDAY', rule.monthDays),
    ...listPart('BYDAY', rule.weekdays.map(weekdayText)),
    ...listPart('BYHOUR', rule.hours),
    ...listPart('BYMINUTE', rule.minutes),
    ...listPart('BYSETPOS', rule.positions),
    ...(rule.weekStart === 0 ? [] : [`WKST=${WEEKDAYS[rule.weekStart]}`]),
  ].join(';')
}

function untilPart(until: WrittenTime | undefined): readonly string[] {
  return until === undefined ? [] : [`UNTIL=${writtenTimeText(until)}`]
}

function listPart(name: string, values: readonly (number | string)[]): readonly string[] {
  return values.length === 0 ? [] : [`${name}=${values.join(',')}`]
}

function weekdayText({ nth, weekday }: NthWeekday): string {
  return `${nth === 0 ? '' : nth}${WEEKDAYS[weekday]}`
}

function datesLine(name: string, instants: readonly number[], zone: string): readonly string[] {
  const texts = instants.map((instant) => writtenLocalTime(instant, zone))
  return texts.length === 0 ? [] : [`${name}:${texts.join(',')}`]
}
