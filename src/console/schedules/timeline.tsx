// The runs of the next hours, days or weeks, one line for each schedule. The list below says the
// same in words, so screen readers skip the drawing.

import { counted } from '../../core/counts.ts'
import type { FoundSchedule } from '../../schedules/schedules-anywhere.ts'
import { Amount, personName } from '../parts/shown.tsx'
import { SCHEDULES_PATH } from '../paths.ts'
import { pathWith, type QueryParams } from '../query.ts'
import { partTexts, RANGE_SHAPES, RANGES, type Range, runMarksOf } from './outlook.ts'

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
