// The list of schedules, the next run first: on a timeline, and in words below it.

import { grouped } from '../../core/counts.ts'
import { shownRuleText } from '../../schedules/schedule-outlook.ts'
import {
  type FoundSchedule,
  listSchedulesAnywhere,
  overdueMs,
  SCHEDULE_STAGES,
  type ScheduleStage,
} from '../../schedules/schedules-anywhere.ts'
import { InvoiceStateWord } from '../invoices/list.tsx'
import { spanText } from '../now/wording.ts'
import type { ListPage } from '../parts/list-page.tsx'
import { numberedPage } from '../parts/pager.tsx'
import { OWNED_COLUMNS, TEAM_FILTER } from '../parts/rows-of-teams.tsx'
import { At, Below, LocalAt, LongLink, personName, StatusWord } from '../parts/shown.tsx'
import { presentFaults } from '../parts/typed.ts'
import { schedulePath, teamPath } from '../paths.ts'
import { accountsAsked, choiceOf, type QueryParams } from '../query.ts'
import { RANGES, RunsTimeline } from './timeline.tsx'

/** In a file: each may have a large `meta`, which is read with it. */
const MOST_SCHEDULES = 2_000

const A_PAGE = 25

const STAGE_WORDS: Readonly<Record<ScheduleStage, string>> = {
  coming: 'upcoming',
  overdue: 'overdue',
  paused: 'paused',
  parked: 'needs attention',
  finished: 'finished',
  deleted: 'deleted',
}

export const SCHEDULE_LIST: ListPage<FoundSchedule> = {
  title: 'Schedules',
  place: 'schedules',
  styles: ['now.css'],
  filters: [
    TEAM_FILTER,
    {
      kind: 'choice',
      name: 'state',
      label: 'State',
      any: undefined,
      choices: Object.entries(STAGE_WORDS),
    },
  ],
  hiddenFilters: ['range'],
  columns: [
    { head: 'Next run', cell: (row) => <NextRun of={row} /> },
    {
      head: 'Customer',
      isMain: true,
      cell: (row) => (
        <>
          <a href={schedulePath(row)}>{personName(row.customer)}</a>
          <span class="quiet beneath">
            <LongLink to={teamPath(row.teamId)} text={row.teamName} />
            <Below>{row.mode}</Below>
          </span>
        </>
      ),
    },
    { head: 'Rule', class: 'words', cell: (row) => shownRuleText(row) },
    { head: 'Amount', class: 'amount', cell: (row) => row.total },
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
  ],
  isInAccountTime: true,
  whenEmpty: 'There are no upcoming schedules.',
  // The order changes with every run, so the file is read at once.
  mostAtOnce: MOST_SCHEDULES,
  file: [
    ...OWNED_COLUMNS,
    'customer_id',
    ['customer', (row) => personName(row.customer)],
    'rule',
    'total',
    'currency',
    ['status', (row) => scheduleWord(row)],
    'next_run_at',
    'timezone',
    ['runs', (row) => row.count],
    ['most_runs', (row) => row.maxRuns],
    'last_run_at',
    'last_invoice_status',
  ],
  above: ({ query, found: { rows } }) => {
    const stage = stageOf(query)
    if (stage !== 'coming' && stage !== 'overdue') return null
    const range = choiceOf(query, 'range', RANGES) ?? 'week'
    return <RunsTimeline query={query} range={range} schedules={rows} />
  },
  async find(world, query, rows = A_PAGE) {
    const { accountIds, fault } = await accountsAsked(world, query)
    const page = numberedPage(query, rows)
    const filter = { stage: stageOf(query), accountIds, skip: page.skip, most: rows }
    const { pager, ...found } = page.show(await listSchedulesAnywhere(world, filter))
    return { ...found, ...pager, faults: presentFaults({ team: fault }) }
  },
}

function stageOf(query: QueryParams): ScheduleStage {
  return choiceOf(query, 'state', SCHEDULE_STAGES) ?? 'coming'
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

type StateFacts = Pick<FoundSchedule, 'status' | 'nextRunAt'>

/** To the API a schedule that will not run again is active. */
function scheduleWord({ status, nextRunAt }: StateFacts): string {
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
      {of.lastInvoiceStatus === null ? null : <InvoiceStateWord status={of.lastInvoiceStatus} />}
    </>
  )
}
