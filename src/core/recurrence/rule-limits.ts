// Checks which parts of a rule can be combined.

import { MINUTE } from '../time-units.ts'
import type { Complain } from './lines.ts'
import { isElapsed, type Rule } from './rule.ts'

/** In minutes. No rule makes an invoice more often, so a day has fewer than a hundred runs. */
const FINEST = 15

const A_DAY = 24 * 60

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
  return rule.frequency === 'MINUTELY' ? rule.interval < FINEST : isTooDense(rule)
}

/**
 * For a rule with hours or minutes. The last time of a day is also compared with the first of the
 * next day.
 */
function isTooDense({ hours, minutes }: Rule): boolean {
  const everyHour = hours.length > 0 ? hours : [0]
  const times = everyHour.flatMap((hour) => minutes.map((minute) => hour * 60 + minute))
  const first = times[0] ?? 0
  return times.some((time, at) => (times[at + 1] ?? first + A_DAY) - time < FINEST)
}

function checkParts(rule: Rule, complain: Complain): void {
  const { frequency } = rule
  if (isElapsed(rule) && rule.hours.length > 0) complain(`must not have BYHOUR with ${frequency}`)
  if (isElapsed(rule) && rule.minutes.length > 0) {
    complain(`must not have BYMINUTE with ${frequency}`)
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
