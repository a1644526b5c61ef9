// Computes which occurrences of schedules are due and which come next. It runs before any row is
// locked, a few milliseconds at a time.

import { takingTurns } from '../core/next-turn.ts'
import { isTooComplex, type Recurrence, ruleText } from '../core/recurrence.ts'
import { dayIn } from '../core/wall-clock.ts'
import type { World } from '../world.ts'
import type { DueSchedule } from './find-due.ts'
import { MOST_IN_TURN } from './in-turn.ts'
import { runsSince } from './next-run.ts'
import { scheduleRecurrence } from './schedule.ts'
import { type Outlook, SHOWN_OCCURRENCES } from './schedule-outlook.ts'

export interface DueOccurrences extends Outlook {
  /** The first due occurrences. The others let those of other schedules come first. */
  readonly due: readonly Date[]
  /** The occurrences after those, one more than is shown. The first of them may be due as well. */
  readonly later: readonly Date[]
  /** The occurrences after the due ones would take too long to find. */
  readonly isTooComplex: boolean
}

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

/**
 * Nearly always one occurrence is due. If the search takes too long, it returns those that it has
 * found. The due one is of the timing before, if that was changed after it fell due.
 */
function coming(recurrence: Recurrence, next: Date, now: Date): Omit<DueOccurrences, 'ruleText'> {
  const due: Date[] = []
  const later: Date[] = []
  const place = (run: Date) => (run <= now && due.length < MOST_IN_TURN ? due : later).push(run)
  place(next)
  try {
    for (const run of runsSince(recurrence, next, dayIn(recurrence.zone, next))) {
      place(run)
      if (later.length === SHOWN_OCCURRENCES) break
    }
  } catch (error) {
    if (!isTooComplex(error)) throw error
    return { due, later, isTooComplex: later.length === 0 }
  }
  return { due, later, isTooComplex: false }
}
