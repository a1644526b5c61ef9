// What runs next and when: drawn on a line of time, and in words beneath it.

import { type FoundSchedule, STANDINGS, type Standing } from '../../schedules/list-anywhere.ts'
import { ChoiceField, Filters, TextField } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import type { Query } from '../query.ts'
import { PATH, ScheduleList } from './list.tsx'
import type { Range } from './outlook.ts'
import { Timeline } from './timeline.tsx'

interface SchedulesPageProps {
  readonly query: Query
  readonly standing: Standing
  readonly range: Range
  readonly now: Date
  readonly fault: string | undefined
  readonly schedules: readonly FoundSchedule[]
  readonly pager: Parameters<typeof Pager>[0]
}

const WORDS: Readonly<Record<Standing, string>> = {
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
      <Filters path={PATH} isFiltered={isFiltered}>
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
          choices={STANDINGS.map((one) => [one, WORDS[one]] as const)}
        />
        <input type="hidden" name="range" value={range} />
      </Filters>
      {standing === 'coming' || standing === 'overdue' ? (
        <Timeline path={PATH} query={query} range={range} now={now} schedules={schedules} />
      ) : null}
      <section class="part schedules">
        <ScheduleList schedules={schedules} />
        {schedules.length === 0 ? null : <Pager {...pager} />}
      </section>
    </>
  )
}
