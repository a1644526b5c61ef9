// The next runs: on a timeline, and in words below it.

import {
  type FoundSchedule,
  SCHEDULE_STAGES,
  type ScheduleStage,
} from '../../schedules/list-anywhere.ts'
import { ChoiceField, FilterForm, TextField } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import type { QueryParams } from '../query.ts'
import { SCHEDULES_PATH, ScheduleList } from './list.tsx'
import type { Range } from './outlook.ts'
import { RunsTimeline } from './timeline.tsx'

interface SchedulesPageProps {
  readonly query: QueryParams
  readonly standing: ScheduleStage
  readonly range: Range
  readonly now: Date
  readonly fault: string | undefined
  readonly schedules: readonly FoundSchedule[]
  readonly pager: Parameters<typeof Pager>[0]
}

const WORDS: Readonly<Record<ScheduleStage, string>> = {
  coming: 'upcoming',
  overdue: 'overdue',
  paused: 'paused',
  parked: 'needs attention',
  finished: 'finished',
  deleted: 'deleted',
}

export function SchedulesPage(props: SchedulesPageProps) {
  const { query, standing, range, now, fault, schedules, pager } = props
  const isFiltered = query.team !== undefined || standing !== 'coming'
  return (
    <>
      <FilterForm path={SCHEDULES_PATH} isFiltered={isFiltered}>
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
          value={standing}
          choices={SCHEDULE_STAGES.map((one) => [one, WORDS[one]] as const)}
        />
        <input type="hidden" name="range" value={range} />
      </FilterForm>
      {standing === 'coming' || standing === 'overdue' ? (
        <RunsTimeline
          path={SCHEDULES_PATH}
          query={query}
          range={range}
          now={now}
          schedules={schedules}
        />
      ) : null}
      <section class="part schedules">
        <ScheduleList schedules={schedules} />
        {schedules.length === 0 ? null : <Pager {...pager} />}
      </section>
    </>
  )
}
