// Computes which occurrences of schedules are due and which come next. It runs before any row is
// locked, a few milliseconds at a time.

import { takingTurns } from '../core/next-turn.ts'
import { isTooComplex, type Recurrence, ruleText } from '../core/recurrence.ts'
import { dayIn } from '../core/wall-clock.ts'
import type { World } from '../world.ts'
import type { DueSchedule } from './find-due.ts'
import { nextRunAfter } from './next-run.ts'
import { scheduleRecurrence } from './schedule.ts'
import { type Outlook, SHOWN_OCCURRENCES } from './schedule-outlook.ts'

export interface DueOccurrences extends Outlook {
  /** The first due occurrences. */
  readonly due: readonly Date[]
  /** The occurrences after those, one more than is shown. The first of them may be due as well. */
  readonly later: readonly Date[]
  /** The occurrences after the due ones would take too long to find. */
  readonly isTooComplex: boolean
}

/** A schedule that has missed many more runs than this lets others run in between. */
const MOST_DUE = 50

/** By id. A schedule that cannot be computed is left out, so that it delays no other. */
export async function occurrencesOfDue(
  world: World,
  found: readonly DueSchedule[],
  now: Date,
): Promise<ReadonlyMap<string, DueOccurrences>> {
  const occurrences = new Map<string, DueOccurrences>()
  const othersTurn = takingTurns()
  for (const schedule of found) {
    try {
      occurrences.set(schedule.id, dueOccurrences(schedule, now))
    } catch (err) {
      const { accountId: account_id, id: schedule_id, requestId: request_id } = schedule
      world.log.error({ request_id, account_id, schedule_id, err }, 'a schedule cannot be run')
    }
    await othersTurn()
  }
  return occurrences
}

/** Even if a rule cannot be continued, its due occurrence is known. */
function dueOccurrences(schedule: DueSchedule, now: Date): DueOccurrences {
  const { nextRunAt: next } = schedule
  let recurrence: Recurrence
  try {
    recurrence = scheduleRecurrence(schedule)
  } catch (error) {
    if (!isTooComplex(error)) throw error
    return { ruleText: schedule.rule, isTooComplex: true, due: [next], later: [] }
  }
  return { ruleText: ruleText(recurrence), ...coming(recurrence, next, now) }
}

function coming(recurrence: Recurrence, next: Date, now: Date) {
  // Nearly always one occurrence is due, so those after it are searched once and returned as well.
  const few = occurrencesAfter(recurrence, next, SHOWN_OCCURRENCES)
  const [second] = few.found
  const isOne = second === undefined || second > now
  const more = isOne ? few : occurrencesAfter(recurrence, next, MOST_DUE + SHOWN_OCCURRENCES - 1)
  const all = [next, ...more.found]
  const due = all.filter((occurrence) => occurrence <= now).slice(0, MOST_DUE)
  const later = all.slice(due.length, due.length + SHOWN_OCCURRENCES)
  return { due, later, isTooComplex: more.isCut && later.length === 0 }
}

/**
 * Returns the occurrences that were found before the search took too long. The due one is of the
 * timing before, if that was changed after it fell due.
 */
function occurrencesAfter(recurrence: Recurrence, instant: Date, most: number) {
  const found: Date[] = []
  const ranOn = dayIn(recurrence.zone, instant)
  try {
    while (found.length < most) {
      const next = nextRunAfter(recurrence, found.at(-1) ?? instant, ranOn)
      if (next === undefined) break
      found.push(next)
    }
  } catch (error) {
    if (!isTooComplex(error)) throw error
    return { found, isCut: true }
  }
  return { found, isCut: false }
}
