// A month of batches as a calendar. A script draws the chart above it from the same cells.

import { counted, grouped } from '../../core/counts.ts'
import { dayText, monthText, weeksOf } from '../../core/month.ts'
import type { DayOfBatches } from '../../settlement/month-of-batches.ts'
import { Amount } from '../parts/shown.tsx'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

interface CalendarProps {
  readonly month: string
  readonly today: string
  readonly chosen: string | undefined
  readonly days: ReadonlyMap<string, DayOfBatches>
  readonly pathOf: (day: string) => string
}

export function Calendar({ month, today, chosen, days, pathOf }: CalendarProps) {
  return (
    <div class="table month">
      <table class="calendar">
        <caption class="hidden">Batches of {monthText(month)}, day by day</caption>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col">
                {name.slice(0, 3)}
                <span class="hidden">{name.slice(3)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find((day) => day !== undefined)}>
              {week.map((day, place) =>
                day === undefined ? (
                  <td key={WEEKDAYS[place]} class="elsewhere" />
                ) : (
                  <DayCell
                    key={day}
                    day={day}
                    of={days.get(day)}
                    isToday={day === today}
                    isChosen={day === chosen}
                    path={pathOf(day)}
                  />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface DayCellProps {
  readonly day: string
  readonly of: DayOfBatches | undefined
  readonly isToday: boolean
  readonly isChosen: boolean
  readonly path: string
}

function DayCell({ day, of, isToday, isChosen, path }: DayCellProps) {
  const kind = `${isToday ? 'today' : ''} ${isChosen ? 'chosen' : ''}`.trim()
  const number = (
    <span class="day number" aria-hidden={of === undefined ? undefined : true}>
      {Number(day.slice(8))}
    </span>
  )
  if (of === undefined) {
    return (
      <td class={kind} data-day={day}>
        {number}
      </td>
    )
  }
  return (
    <td
      class={kind}
      data-day={day}
      data-sales={String(of.sales)}
      data-refunds={String(of.refunds)}
      data-count={of.count}
    >
      <a href={path} aria-current={isChosen ? 'date' : undefined}>
        <span class="hidden">{inWords(day, of)}</span>
        {number}
        <span class="sums" aria-hidden="true">
          <span class="money">
            {of.isWhole || of.sales > 0n ? <Amount cents={of.sales} /> : '…'}
          </span>
          <span class="quiet count number">{grouped(of.count)}</span>
        </span>
        <DayStates of={of} />
      </a>
    </td>
  )
}

function DayStates({ of }: { of: DayOfBatches }) {
  const states = statesOf(of)
  return (
    <span class="states" aria-hidden="true">
      {states.map(([tone, words]) => (
        <span key={words} class={`word ${tone}`}>
          {words}
        </span>
      ))}
    </span>
  )
}

/** The states of a day, the most urgent first. Nothing if all of its batches are closed. */
function statesOf(of: DayOfBatches): readonly (readonly [tone: string, words: string])[] {
  const only = of.closed + of.closing + of.open === 1
  const stateText = (count: number, words: string) => (only ? words : `${count} ${words}`)
  return [
    ...(of.late > 0 ? [['bad', stateText(of.late, 'late')] as const] : []),
    ...(of.closing > 0 ? [['wait', stateText(of.closing, 'closing')] as const] : []),
    ...(of.open > 0 ? [['wait', stateText(of.open, 'open')] as const] : []),
    ...(of.closedLate > 0 ? [['bad', stateText(of.closedLate, 'closed late')] as const] : []),
  ]
}

function inWords(day: string, of: DayOfBatches): string {
  const batches = counted(of.closed + of.closing + of.open, 'batch', 'batches')
  const states = statesOf(of).map(([, words]) => words)
  const payments = counted(of.count, 'payment')
  return [dayText(day), batches, payments, ...states].join(', ')
}
