// A list of schedules, the next run first.

import { grouped } from '../../core/counts.ts'
import { type FoundSchedule, overdueMs } from '../../schedules/list-anywhere.ts'
import { shownRuleText } from '../../schedules/schedule-outlook.ts'
import { InvoiceState } from '../invoices/list.tsx'
import { spanText } from '../now/wording.ts'
import { Amount, At, LocalAt, personName, StatusWord, Table, TeamAndMode } from '../parts/shown.tsx'

export const SCHEDULES_PATH = '/admin/schedules'

const HEADS = ['Next run', 'Customer', 'Rule', 'Amount', 'State', 'Runs so far']

export function ScheduleList({ schedules }: { schedules: readonly FoundSchedule[] }) {
  return (
    <Table
      title="Schedules"
      heads={HEADS}
      isEmpty={schedules.length === 0}
      whenEmpty="No schedules match."
    >
      {schedules.map((schedule) => (
        <ScheduleLine key={schedule.id} of={schedule} />
      ))}
    </Table>
  )
}

function ScheduleLine({ of }: { of: FoundSchedule }) {
  return (
    <tr data-clock={of.hasOwnClock ? 'sandbox' : undefined}>
      <td>
        <NextRun of={of} />
      </td>
      <td class="main">
        <a href={`${SCHEDULES_PATH}/${of.accountId}/${of.id}`}>{personName(of.customer)}</a>
        <span class="quiet beneath">
          <TeamAndMode team={of.teamName} mode={of.mode} to={`/admin/teams/${of.teamId}`} />
        </span>
      </td>
      <td class="words">{shownRuleText(of)}</td>
      <td class="amount">
        <Amount cents={of.total} />
      </td>
      <td>
        <ScheduleState of={of} />
      </td>
      <td class="number">
        {grouped(of.count)}
        {of.maxRuns === null ? null : <span class="quiet"> of {grouped(of.maxRuns)}</span>}
        <span class="quiet beneath">
          <LastRun of={of} />
        </span>
      </td>
    </tr>
  )
}

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

export function ScheduleState({ of }: { of: FoundSchedule }) {
  const lateMs = overdueMs(of)
  const isFinished = of.status === 'active' && of.nextRunAt === null
  return (
    <span class="states">
      {isFinished ? <span class="word">finished</span> : <StatusWord status={of.status} />}
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
