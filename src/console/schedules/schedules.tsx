// The next runs: on a timeline, and in words below it.

import {
  type FoundSchedule,
  SCHEDULE_STAGES,
  type ScheduleStage,
} from '../../schedules/list-anywhere.ts'
import { ChoiceField, FilterForm, TextField, UnknownFilters } from '../parts/fields.tsx'
import { DownloadLink } from '../parts/list-file.tsx'
import { type PagePart, Pager } from '../parts/pager.tsx'
import { SCHEDULES_PATH } from '../paths.ts'
import { choiceOf, notAChoice, type QueryParams, unknownNotes } from '../query.ts'
import { ScheduleList } from './list.tsx'
import type { Range } from './outlook.ts'
import { RunsTimeline } from './timeline.tsx'

interface SchedulesPageProps {
  readonly query: QueryParams
  readonly stage: ScheduleStage
  readonly range: Range
  readonly fault: string | undefined
  readonly schedules: readonly FoundSchedule[]
  readonly pager: PagePart
}

/** In a file: each may have a large `meta`, which is read with it. */
export const MOST_SCHEDULES = 2_000

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
