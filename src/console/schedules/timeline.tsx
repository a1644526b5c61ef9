// The runs of the next hours, days or weeks, one line for each schedule. The list below says the
// same in words, so screen readers skip the drawing.

import { counted } from '../../core/counts.ts'
import { DAY, HOUR } from '../../core/time-units.ts'
import { laterAtOnce, SHOWN_OCCURRENCES, shownOutlook } from '../../schedules/schedule-outlook.ts'
import type { FoundSchedule } from '../../schedules/schedules-anywhere.ts'
import { Amount, personName } from '../parts/shown.tsx'
import { SCHEDULES_PATH } from '../paths.ts'
import { pathWith, type QueryParams } from '../query.ts'

/** The drawing is stretched to the available width. */
const WIDTH = 1_000
const HEIGHT = 30

interface TimelineProps {
  readonly query: QueryParams
  readonly range: Range
  readonly schedules: readonly FoundSchedule[]
}

interface SumProps {
  readonly lines: readonly {
    readonly of: FoundSchedule
    readonly marks: ReturnType<typeof runMarksOf>
  }[]
}

/**
 * The sum of the schedules on this page of the list. A line stands for more runs than were counted.
 */
function Sum({ lines }: SumProps) {
  const runs = lines.reduce((all, { marks }) => all + marks.length, 0)
  const cents = lines.reduce((all, { of, marks }) => all + of.total * BigInt(marks.length), 0n)
  const isCut = lines.some(({ marks }) => marks.some(({ place, until }) => until > place))
  return (
    <p>
      {isCut ? 'At least ' : ''}
      {counted(runs, 'run')} for <Amount cents={cents} /> in all, of the schedules below.
    </p>
  )
}

export function RunsTimeline({ query, range, schedules }: TimelineProps) {
  const lines = schedules.map((of) => ({ of, marks: runMarksOf(of, range) }))
  const shown = lines.filter(({ marks }) => marks.length > 0)
  const later = lines.length - shown.length
  return (
    <figure class="card runs-ahead">
      <figcaption>
        <h2>The next {RANGE_SHAPES[range].words}</h2>
        <nav class="choices" aria-label="How far ahead">
          {RANGES.map((one) => (
            <a
              key={one}
              href={pathWith(SCHEDULES_PATH, query, { range: one })}
              aria-current={one === range ? 'true' : undefined}
            >
              {RANGE_SHAPES[one].words}
            </a>
          ))}
        </nav>
      </figcaption>
      {shown.length === 0 ? null : <Sum lines={shown} />}
      {shown.length === 0 ? (
        <p class="quiet">None of the schedules below runs within {RANGE_SHAPES[range].words}.</p>
      ) : (
        <div class="lanes" aria-hidden="true">
          {shown.map(({ of, marks }) => (
            <div key={of.id} class="lane">
              <span class="lane-name">{personName(of.customer)}</span>
              <RunLine marks={marks} parts={RANGE_SHAPES[range].parts} />
            </div>
          ))}
          <div class="lane scale">
            <span class="lane-name" />
            <span class="parts quiet number">
              {partTexts(range).map((text) => (
                <span key={text}>{text}</span>
              ))}
            </span>
          </div>
        </div>
      )}
      {shown.some(({ of }) => of.hasOwnClock) ? (
        <p class="quiet">
          Runs of an account with a sandbox clock are shown from that clock’s time.
        </p>
      ) : null}
      {later === 0 || shown.length === 0 ? null : (
        <p class="quiet">{later} of those below run later.</p>
      )}
    </figure>
  )
}

interface RunLineProps {
  readonly marks: ReturnType<typeof runMarksOf>
  readonly parts: number
}

function RunLine({ marks, parts }: RunLineProps) {
  const grid = Array.from({ length: parts + 1 }, (_, part) => (part * WIDTH) / parts)
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
      <title>Runs to come</title>
      {grid.map((x) => (
        <line key={x} class="grid" x1={x} x2={x} y1="0" y2={HEIGHT} />
      ))}
      <line class="rail" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      {marks.map(({ at, place, until, isOverdue }) => (
        <line
          key={at.getTime()}
          class={isOverdue ? 'mark overdue' : 'mark'}
          x1={place * WIDTH}
          x2={until * WIDTH}
          y1={HEIGHT / 2}
          y2={HEIGHT / 2}
        />
      ))}
    </svg>
  )
}

export const RANGES = ['day', 'week', 'month'] as const

type Range = (typeof RANGES)[number]

interface RangeShape {
  readonly words: string
  readonly lengthMs: number
  readonly parts: number
}

const RANGE_SHAPES: Readonly<Record<Range, RangeShape>> = {
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

function runMarksOf(schedule: FoundSchedule, range: Range): readonly Mark[] {
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
function partTexts(range: Range): readonly string[] {
  const { lengthMs, parts } = RANGE_SHAPES[range]
  const stepMs = lengthMs / parts
  return Array.from({ length: parts + 1 }, (_, part) => {
    if (part === 0) return 'now'
    return range === 'day' ? `+${(part * stepMs) / HOUR} h` : `+${(part * stepMs) / DAY} d`
  })
}
