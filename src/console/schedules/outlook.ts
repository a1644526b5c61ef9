// The runs of a schedule within the range of a timeline.

import { DAY, HOUR } from '../../core/time-units.ts'
import { laterAtOnce, SHOWN_OCCURRENCES, shownOutlook } from '../../schedules/schedule-outlook.ts'
import type { FoundSchedule } from '../../schedules/schedules-anywhere.ts'

export const RANGES = ['day', 'week', 'month'] as const

export type Range = (typeof RANGES)[number]

export interface RangeShape {
  readonly words: string
  readonly lengthMs: number
  readonly parts: number
}

export const RANGE_SHAPES: Readonly<Record<Range, RangeShape>> = {
  day: { words: '24 hours', lengthMs: DAY, parts: 6 },
  week: { words: '7 days', lengthMs: 7 * DAY, parts: 7 },
  month: { words: '30 days', lengthMs: 30 * DAY, parts: 6 },
}

/** More runs than these are drawn as one line, from the first run to the end. */
const MOST_MARKS = 96

interface Mark {
  readonly at: Date
  /** From 0, which is now, to 1, the end of the range. */
  readonly place: number
  /** The end of a line that stands for runs too close together. */
  readonly until: number
  readonly isOverdue: boolean
}

export function runMarksOf(schedule: FoundSchedule, range: Range): readonly Mark[] {
  const { nextRunAt, now } = schedule
  const { lengthMs } = RANGE_SHAPES[range]
  if (nextRunAt === null || nextRunAt.getTime() - now.getTime() > lengthMs) return []
  const later = laterOf(schedule, new Date(now.getTime() + lengthMs))
  const marks = [nextRunAt, ...later]
    .map((at) => ({ at, place: (at.getTime() - now.getTime()) / lengthMs }))
    .filter(({ place }) => place <= 1)
    .map(({ at, place: from }) => {
      const place = Math.max(0, from)
      return { at, place, until: place, isOverdue: from < 0 }
    })
  return marks.length > MOST_MARKS ? marks.slice(0, 1).map((one) => ({ ...one, until: 1 })) : marks
}

/** The stored runs, and more only if these do not reach the end. */
function laterOf(schedule: FoundSchedule, end: Date): readonly Date[] {
  const { later } = shownOutlook(schedule)
  const last = later.at(-1)
  if (last === undefined || last > end || later.length < SHOWN_OCCURRENCES - 1) return later
  return laterAtOnce(schedule, MOST_MARKS)
}

/**
 * The labels below the timeline: `+4 h`, `+2 d`. They are no dates, because accounts with a sandbox
 * clock are on it too, each at its own present.
 */
export function partTexts(range: Range): readonly string[] {
  const { lengthMs, parts } = RANGE_SHAPES[range]
  const stepMs = lengthMs / parts
  return Array.from({ length: parts + 1 }, (_, part) => {
    if (part === 0) return 'now'
    return range === 'day' ? `+${(part * stepMs) / HOUR} h` : `+${(part * stepMs) / DAY} d`
  })
}
