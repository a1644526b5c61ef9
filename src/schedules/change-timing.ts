// What becomes of a schedule's runs when its rule, its start or its zone is sent again.

import { Refusal } from '../core/errors.ts'
import { nextOccurrence, wallTextOf } from '../core/recurrence.ts'
import type { NewSchedule } from './create-schedule.ts'
import { type ScheduleRow, scheduleRecurrence } from './schedule-row.ts'
import { firstRun, readTiming, type Timing } from './timing.ts'

type Sent = Partial<Pick<NewSchedule, 'rule' | 'start' | 'timezone'>>

/** A start inside the rule. */
const DTSTART = /\bDTSTART\b/i

/**
 * Nothing where it is sent as it is, though its start is past by now. A rule that is sent without a
 * start keeps the one it has: it counts from there.
 */
export function changeTiming(
  row: ScheduleRow,
  sent: Sent,
  now: Date,
): (Timing & Pick<ScheduleRow, 'nextRunAt'>) | undefined {
  const { rule = row.rule, timezone = row.timezone } = sent
  if (sent.rule === undefined && sent.start === undefined && timezone === row.timezone)
    return undefined
  const start = sent.start ?? (DTSTART.test(rule) ? undefined : keptStart(row, timezone))
  const { timing, recurrence } = readTiming({ rule, start, timezone }, now)
  if (isAsItWas(row, timing)) return undefined
  if (timing.anchor !== row.anchor) firstRun(recurrence, now, sent.start)
  const nextRunAt = nextOccurrence(recurrence, now)
  if (nextRunAt === undefined) {
    throw new Refusal('invalid_request', { faults: { rule: ['has no occurrence left'] } })
  }
  // A change is of the runs to come: one that has come due already is made all the same.
  const isOwed = row.nextRunAt !== null && row.nextRunAt <= now
  return { ...timing, nextRunAt: isOwed ? row.nextRunAt : nextRunAt }
}

/** In another zone the wall clock stays as it was: an anchor that names an instant is read on it. */
function keptStart(row: ScheduleRow, timezone: string): string {
  return timezone === row.timezone ? row.anchor : wallTextOf(scheduleRecurrence(row))
}

function isAsItWas(row: ScheduleRow, { rule, anchor, timezone }: Timing): boolean {
  return rule === row.rule && anchor === row.anchor && timezone === row.timezone
}
