// Writes a recurrence as text, to be stored, returned by the API and read again.

import { instantAt } from '../wall-clock.ts'
import type { NthWeekday, Recurrence, Rule, WrittenTime } from './rule.ts'
import { WEEKDAYS } from './rule.ts'
import { wallText, writtenLocalTime, writtenTimeText } from './times.ts'

/** Two rules with the same meaning give the same text, except for UNTIL. */
export function ruleOf({ rule, except, extra, zone }: Recurrence): string {
  return [
    `RRULE:${partsText(rule)}`,
    ...datesLine('EXDATE', except, zone),
    ...datesLine('RDATE', extra, zone),
  ].join('\n')
}

/**
 * YYYY-MM-DDTHH:MM:SS in local time; with Z if that time comes twice and the second one is meant.
 */
export function anchorOf(recurrence: Recurrence): string {
  const { anchor, origin, zone } = recurrence
  return instantAt(anchor, zone) === origin ? wallTextOf(recurrence) : `${wallText(origin)}Z`
}

/** The local time of the start. */
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
    ...listPart('BYWEEKNO', rule.weeks),
    ...listPart('BYYEARDAY', rule.yearDays),
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
