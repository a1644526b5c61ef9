// The next runs: on a timeline, and in words below it.

import type { FastifyInstance } from 'fastify'
import {
  type FoundSchedule,
  listSchedulesAnywhere,
  SCHEDULE_STAGES,
  type ScheduleStage,
} from '../../schedules/list-anywhere.ts'
import type { World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import { ChoiceField, FilterForm, TextField, UnknownFilters } from '../parts/fields.tsx'
import { addListFile, DownloadLink, type ListFile, OWNER_COLUMNS } from '../parts/list-file.tsx'
import { numberedPage, type PagePart, Pager } from '../parts/pager.tsx'
import { personName } from '../parts/shown.tsx'
import { SCHEDULES_PATH } from '../paths.ts'
import {
  accountsAsked,
  choiceOf,
  notAChoice,
  type QueryParams,
  queryOf,
  unknownNotes,
} from '../query.ts'
import { ScheduleList, scheduleWord } from './list.tsx'
import { RANGES, type Range } from './outlook.ts'
import { RunsTimeline } from './timeline.tsx'

const A_PAGE = 25

/** In a file: each may have a large `meta`, which is read with it. */
const MOST_SCHEDULES = 2_000

export function schedulePages(own: FastifyInstance, world: World): void {
  own.get('/schedules', async (request, reply) => {
    const found = await search(world, queryOf(request))
    return answerConsole(
      reply,
      { title: 'Schedules', place: 'schedules', styles: ['now.css'] },
      <SchedulesPage {...found} />,
    )
  })
  addListFile(own, world, SCHEDULE_FILE)
}

/** The order changes with every run, so the file is read at once. */
const SCHEDULE_FILE: ListFile<FoundSchedule> = {
  place: 'schedules',
  columns: [
    'id',
    'created_at',
    ...OWNER_COLUMNS,
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
  keyOf: ({ id }) => id,
  async find(world, query, rows) {
    const { schedules, pager, fault } = await search(world, query, rows)
    return { ...pager, rows: schedules, ...(fault !== undefined && { faults: { team: fault } }) }
  },
  faultsOf: scheduleFaults,
  rowsARead: MOST_SCHEDULES,
  mostRows: MOST_SCHEDULES,
}

async function search(world: World, query: QueryParams, rows = A_PAGE) {
  const stage = choiceOf(query, 'state', SCHEDULE_STAGES) ?? 'coming'
  const range = choiceOf(query, 'range', RANGES) ?? 'week'
  const { accountIds, fault } = await accountsAsked(world, query)
  const page = numberedPage(query, rows)
  const filter = { stage, accountIds, skip: page.skip, most: rows }
  const { rows: schedules, pager } = page.show(await listSchedulesAnywhere(world, filter))
  return { query, stage, range, fault, schedules, pager }
}

interface SchedulesPageProps {
  readonly query: QueryParams
  readonly stage: ScheduleStage
  readonly range: Range
  readonly fault: string | undefined
  readonly schedules: readonly FoundSchedule[]
  readonly pager: PagePart
}

const WORDS: Readonly<Record<ScheduleStage, string>> = {
  coming: 'upcoming',
  overdue: 'overdue',
  paused: 'paused',
  parked: 'needs attention',
  finished: 'finished',
  deleted: 'deleted',
}

const SCHEDULE_FILTERS = ['state', 'team', 'range', 'page']

export function SchedulesPage(props: SchedulesPageProps) {
  const { query, stage, range, fault, schedules, pager } = props
  const isFiltered = query.team !== undefined || stage !== 'coming'
  return (
    <>
      <FilterForm path={SCHEDULES_PATH} isFiltered={isFiltered} fields={{ range }}>
        <TextField
          name="team"
          label="Team"
          value={query.team}
          placeholder="Its name or id"
          fault={fault}
        />
        <ChoiceField
          name="state"
          label="State"
          value={stage}
          fault={stateFault(query)}
          choices={SCHEDULE_STAGES.map((one) => [one, WORDS[one]] as const)}
        />
      </FilterForm>
      <UnknownFilters query={query} known={SCHEDULE_FILTERS} />
      {stage === 'coming' || stage === 'overdue' ? (
        <RunsTimeline path={SCHEDULES_PATH} query={query} range={range} schedules={schedules} />
      ) : null}
      <section class="part schedules">
        <ScheduleList schedules={schedules} />
        <Pager path={SCHEDULES_PATH} {...pager} />
        {schedules.length === 0 ? null : (
          <DownloadLink
            place="schedules"
            query={query}
            mostRows={MOST_SCHEDULES}
            isFaulty={scheduleFaults(query).length > 0}
          />
        )}
      </section>
    </>
  )
}

/** Why filters are off. */
export function scheduleFaults(query: QueryParams): readonly string[] {
  return [stateFault(query) ?? [], unknownNotes(query, SCHEDULE_FILTERS)].flat()
}

function stateFault(query: QueryParams): string | undefined {
  const { state } = query
  const isOne = state === undefined || choiceOf(query, 'state', SCHEDULE_STAGES) !== undefined
  return isOne ? undefined : notAChoice(state)
}
