// Checks which parts of a rule can be combined.

import { MINUTE } from '../time-units.ts'
import type { Complain } from './lines.ts'
import { isElapsed, type Rule } from './rule.ts'

/** In minutes. No rule makes an invoice more often, so a day has fewer than a hundred runs. */
const FINEST = 15

const AN_HOUR = 60
const A_DAY = 24 * AN_HOUR

export function checkRule(rule: Rule, complain: Complain): void {
  if (isTooFine(rule)) complain(`must not be finer than ${FINEST} minutes`)
  if (rule.count !== undefined && rule.until !== undefined) {
    complain('must not have both COUNT and UNTIL')
  }
  checkParts(rule, complain)
  checkPositions(rule, complain)
  checkOrdinals(rule, complain)
}

/** For added dates in order: among themselves, because a run of the rule may be close to one. */
export function areTooClose(added: readonly number[]): boolean {
  return added.some((instant, at) => instant - (added[at - 1] ?? -Infinity) < FINEST * MINUTE)
}

function isTooFine(rule: Rule): boolean {
  const { frequency, interval, minutes } = rule
  const isApart = frequency === 'MINUTELY' && interval >= FINEST
  if (frequency === 'MINUTELY' && minutes.length === 0) return interval < FINEST
  return !isApart && isTooDense(rule)
}

/** For a rule with hours or minutes. The last time is also compared with the first, a cycle later. */
function isTooDense(rule: Rule): boolean {
  const { hours, minutes } = rule
  const everyHour = hours.length > 0 ? hours : [0]
  const times = everyHour.flatMap((hour) => minutes.map((minute) => hour * AN_HOUR + minute))
  const next = (times[0] ?? 0) + cycleOf(rule)
  return times.some((time, at) => (times[at + 1] ?? next) - time < FINEST)
}

/** In minutes. With the same minutes in each interval, a shorter cycle is as dense as a longer. */
function cycleOf(rule: Rule): number {
  if (!isElapsed(rule) || rule.hours.length > 0) return A_DAY
  return rule.frequency === 'HOURLY' ? rule.interval * AN_HOUR : AN_HOUR
}

function checkParts(rule: Rule, complain: Complain): void {
  const { frequency } = rule
  const divided = frequency === 'HOURLY' ? 24 : 60
  if (isElapsed(rule) && rule.hours.length > 0 && divided % rule.interval > 0) {
    complain(`must have an INTERVAL that divides ${divided} with BYHOUR`)
  }
  if (frequency === 'WEEKLY' && rule.monthDays.length > 0) {
    complain('must not have BYMONTHDAY with WEEKLY')
  }
  if (frequency !== 'YEARLY' && rule.weeks.length > 0) {
    complain(`must not have BYWEEKNO with ${frequency}`)
  }
  if (frequency !== 'YEARLY' && !isElapsed(rule) && rule.yearDays.length > 0) {
    complain(`must not have BYYEARDAY with ${frequency}`)
  }
}

function checkPositions(rule: Rule, complain: Complain): void {
  const { months, weeks, yearDays, monthDays, weekdays, hours, minutes, positions } = rule
  if (positions.length === 0) return
  if (isElapsed(rule)) complain(`must not have BYSETPOS with ${rule.frequency}`)
  const others = [months, weeks, yearDays, monthDays, weekdays, hours, minutes]
  if (others.every((part) => part.length === 0)) {
    complain('must not have BYSETPOS without another BY part')
  }
}

function checkOrdinals({ frequency, weeks, weekdays }: Rule, complain: Complain): void {
  const most = Math.max(0, ...weekdays.map(({ nth }) => Math.abs(nth)))
  if (most === 0) return
  if (weeks.length > 0) complain('must not have an ordinal in BYDAY with BYWEEKNO')
  if (frequency === 'MONTHLY') {
    if (most > 5) complain('must have an ordinal in BYDAY from 1 to 5, or from -5 to -1')
  } else if (frequency !== 'YEARLY') {
    complain(`must not have an ordinal in BYDAY with ${frequency}`)
  } else if (most > 53) {
    complain('must have an ordinal in BYDAY from 1 to 53, or from -53 to -1')
  }
}
