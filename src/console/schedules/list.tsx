// A list of schedules, the next run first.

import { grouped } from '../../core/counts.ts'
import { type FoundSchedule, overdueMs } from '../../schedules/list-anywhere.ts'
import { shownRuleText } from '../../schedules/schedule-outlook.ts'
import { InvoiceState } from '../invoices/list.tsx'
import { spanText } from '../now/wording.ts'
import { type Column, RowTable } from '../parts/row-table.tsx'
import { Amount, At, LocalAt, personName, StatusWord, TeamAndMode } from '../parts/shown.tsx'
import { schedulePath, teamPath } from '../paths.ts'

export function ScheduleList({ schedules }: { schedules: readonly FoundSchedule[] }) {
  return (
    <RowTable
      title="Schedules"
      columns={COLUMNS}
      rows={schedules}
      whenEmpty="No schedules match."
      hasOwnClock={({ hasOwnClock }) => hasOwnClock}
    />
  )
}

const COLUMNS: readonly Column<FoundSchedule>[] = [
  { head: 'Next run', cell: (row) => <NextRun of={row} /> },
  {
    head: 'Customer',
    isMain: true,
    cell: (row) => (
      <>
        <a href={schedulePath(row)}>{personName(row.customer)}</a>
        <span class="quiet beneath">
          <TeamAndMode team={row.teamName} mode={row.mode} to={teamPath(row.teamId)} />
        </span>
      </>
    ),
  },
  { head: 'Rule', class: 'words', cell: (row) => shownRuleText(row) },
  { head: 'Amount', class: 'amount', cell: (row) => <Amount cents={row.total} /> },
  { head: 'State', cell: (row) => <ScheduleState of={row} /> },
  {
    head: 'Runs so far',
    class: 'number',
    cell: (row) => (
      <>
        {grouped(row.count)}
        {row.maxRuns === null ? null : <span class="quiet"> of {grouped(row.maxRuns)}</span>}
        <span class="quiet beneath">
          <LastRun of={row} />
        </span>
      </>
    ),
  },
]

export function NextRun({ of }: { of: FoundSchedule }) {
  if (of.nextRunAt === null) return <span class="quiet">none</span>
  const aheadMs = of.nextRunAt.getTime() - of.now.getTime()
  return (
    <>
      <LocalAt instant={of.nextRunAt} zone={of.timezone} />{' '}
      {aheadMs < 0 ? null : (
        <span class="quiet ahead">
          in {spanText(aheadMs)}
          {of.hasOwnClock ? ' of its clock' : ''}
        </span>
      )}
    </>
  )
}

type StateFacts = Pick<FoundSchedule, 'status' | 'nextRunAt'>

/** To the API a schedule that will not run again is active. */
export function scheduleWord({ status, nextRunAt }: StateFacts): string {
  return status === 'active' && nextRunAt === null ? 'finished' : status
}

export function ScheduleWord({ of }: { of: StateFacts }) {
  const word = scheduleWord(of)
  return word === of.status ? <StatusWord status={word} /> : <span class="word">{word}</span>
}

export function ScheduleState({ of }: { of: FoundSchedule }) {
  const lateMs = overdueMs(of)
  return (
    <span class="states">
      <ScheduleWord of={of} />
      {lateMs === undefined ? null : <span class="word bad">{spanText(lateMs)} overdue</span>}
      {of.parkedReason === null ? null : <span class="word bad">needs attention</span>}
      {of.hasOwnClock ? <span class="word">sandbox clock</span> : null}
    </span>
  )
}

export function LastRun({ of }: { of: FoundSchedule }) {
  if (of.lastRunAt === null) return <span class="quiet">none yet</span>
  return (
    <>
      <At instant={of.lastRunAt} />{' '}
      {of.lastInvoiceStatus === null ? null : <InvoiceState status={of.lastInvoiceStatus} />}
    </>
  )
}
