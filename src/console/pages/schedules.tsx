// The pages of schedules: the next runs of all accounts, and each schedule with its runs. Operators
// pause, resume and delete with the same actions as merchants.

import type { FastifyInstance } from 'fastify'
import type { RequestContext } from '../../accounts/acting-account.ts'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { changeSchedule } from '../../schedules/change-schedule.ts'
import { deleteSchedule } from '../../schedules/delete-schedule.ts'
import {
  type FoundSchedule,
  listSchedulesAnywhere,
  SCHEDULE_STAGES,
} from '../../schedules/list-anywhere.ts'
import { listRuns } from '../../schedules/list-runs.ts'
import { findSchedule } from '../../schedules/schedule.ts'
import type { World } from '../../world.ts'
import { auditAction, namedInAccount, type ObjectParams, operatorContext } from '../account-of.ts'
import { answerConsole } from '../answer-console.tsx'
import { type Acting, addDetailPage, type DetailPage } from '../parts/detail-page.tsx'
import { addListFile, type ListFile, OWNER_COLUMNS } from '../parts/list-file.tsx'
import { numberedPage } from '../parts/pager.tsx'
import { personName } from '../parts/shown.tsx'
import { accountsAsked, choiceOf, type QueryParams, queryOf } from '../query.ts'
import { scheduleWord } from '../schedules/list.tsx'
import { RANGES } from '../schedules/outlook.ts'
import { SchedulePage } from '../schedules/schedule.tsx'
import { MOST_SCHEDULES, SchedulesPage, scheduleFaults } from '../schedules/schedules.tsx'

const STYLES = ['now.css'] as const

const A_PAGE = 25

export function schedulePages(own: FastifyInstance, world: World): void {
  own.get('/schedules', async (request, reply) => {
    const found = await search(world, queryOf(request))
    return answerConsole(
      reply,
      { title: 'Schedules', place: 'schedules', styles: STYLES },
      <SchedulesPage {...found} />,
    )
  })
  addListFile(own, world, SCHEDULE_FILE)
  addDetailPage(own, world, ONE_SCHEDULE)
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

interface ScheduleAt {
  readonly account: AccountWithTeam
  readonly schedule: FoundSchedule
}

const ONE_SCHEDULE: DetailPage<ObjectParams, ScheduleAt> = {
  place: 'schedules',
  styles: STYLES,
  async find(world, params) {
    const find = ({ db }: World, accountId: string, id: string) =>
      findSchedule(db.query, accountId, id)
    const { account, found: row } = await namedInAccount(world, params, 'schedule', find)
    const { team, mode, clockAt } = account
    const now = world.accountNow({ clockAt })
    const own = { teamId: team.id, teamName: team.name, mode, now, hasOwnClock: clockAt !== null }
    return { account, schedule: { ...row, ...own } }
  },
  title: ({ schedule }) => `Schedule of ${personName(schedule.customer)}`,
  async body({ world, found: { schedule }, query }) {
    const page = await runsOf(world, schedule, query)
    return <SchedulePage schedule={schedule} {...page} />
  },
  actions: {
    async pause(acting) {
      const isChanged = await setStatus(acting, 'paused')
      if (!isChanged) return 'The schedule was paused already.'
      await audit(acting, 'schedule paused')
      return 'The schedule is paused.'
    },
    async resume(acting) {
      const isChanged = await setStatus(acting, 'active')
      if (!isChanged) return 'The schedule was active already.'
      await audit(acting, 'schedule resumed')
      return 'The schedule runs again.'
    },
    async delete(acting) {
      const { id, version } = acting.found.schedule
      const deleted = await deleteSchedule(acting.world, contextOf(acting), id)
      if (deleted.version === version) return 'The schedule was deleted already.'
      await audit(acting, 'schedule deleted')
      return 'The schedule is deleted.'
    },
  },
}

async function runsOf(world: World, schedule: FoundSchedule, query: QueryParams) {
  const page = numberedPage(query, A_PAGE)
  const read = await listRuns(world, schedule, { skip: page.skip, most: A_PAGE })
  const { rows: runs, pager } = page.show(read)
  return { runs, pager }
}

function contextOf({ request, found: { account } }: Acting<ScheduleAt>): RequestContext {
  return operatorContext(request, account)
}

/** False if the schedule has this status already. */
async function setStatus(acting: Acting<ScheduleAt>, status: 'paused' | 'active') {
  const { world, found } = acting
  const { id, version } = found.schedule
  const change = { fields: {}, timing: {}, status, fixed: {} }
  const changed = await changeSchedule(world, contextOf(acting), id, change)
  return changed.version !== version
}

function audit(acting: Acting<ScheduleAt>, action: string): Promise<void> {
  const { account, schedule } = acting.found
  return auditAction(acting, account, action, schedule.id)
}
