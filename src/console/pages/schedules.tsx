// The pages of schedules: the next runs of all accounts, and each schedule with its runs. Operators
// pause, resume and delete with the same actions as merchants.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { isId } from '../../core/id.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { changeSchedule } from '../../schedules/change-schedule.ts'
import { deleteSchedule } from '../../schedules/delete-schedule.ts'
import {
  type FoundSchedule,
  listSchedulesAnywhere,
  SCHEDULE_STAGES,
} from '../../schedules/list-anywhere.ts'
import { listRuns } from '../../schedules/list-runs.ts'
import { findSchedule } from '../../schedules/schedule.ts'
import { answerHtml } from '../../web/html.ts'
import type { World } from '../../world.ts'
import {
  accountOfPath,
  actingOf,
  notInAccount,
  type OfAccount,
  operatorContext,
} from '../account-of.ts'
import { redirectDone, takeDone } from '../done.ts'
import { ConsolePage } from '../layout.tsx'
import { addListFile, type ListFile, OWNER_COLUMNS } from '../parts/list-file.tsx'
import { numberedPage } from '../parts/pager.tsx'
import { personName } from '../parts/shown.tsx'
import { accountsAsked, choiceOf, type QueryParams, queryOf } from '../query.ts'
import { SCHEDULES_PATH } from '../schedules/list.tsx'
import { RANGES } from '../schedules/outlook.ts'
import { SchedulePage } from '../schedules/schedule.tsx'
import { MOST_SCHEDULES, SchedulesPage, stateFault } from '../schedules/schedules.tsx'
import { operatorOf } from '../who.ts'

const HIDDEN = { schema: { hide: true } }
const STYLES = ['now.css'] as const

const A_PAGE = 25

export function schedulePages(own: FastifyInstance, world: World): void {
  own.get('/schedules', HIDDEN, async (request, reply) => {
    const found = await search(world, queryOf(request))
    return answerHtml(
      reply,
      <ConsolePage
        title="Schedules"
        place="schedules"
        operator={operatorOf(request)}
        styles={STYLES}
      >
        <SchedulesPage {...found} />
      </ConsolePage>,
    )
  })
  addListFile(own, world, SCHEDULE_FILE)
  own.get<OfAccount>('/schedules/:account/:id', HIDDEN, async (request, reply) => {
    const schedule = await find(world, request.params)
    const operator = operatorOf(request)
    const page = await runsOf(world, schedule, queryOf(request))
    return answerHtml(
      reply,
      <ConsolePage
        title={`Schedule of ${personName(schedule.customer)}`}
        place="schedules"
        operator={operator}
        done={takeDone(world, request, reply)}
        styles={STYLES}
      >
        <SchedulePage schedule={schedule} operator={operator} {...page} />
      </ConsolePage>,
    )
  })
  for (const action of ['pause', 'resume', 'delete'] as const) {
    own.post<OfAccount>(`/schedules/:account/:id/${action}`, HIDDEN, async (request, reply) => {
      const { accountId, id } = await act(world, request, action)
      const path = `${SCHEDULES_PATH}/${accountId}/${id}`
      return redirectDone(world, request, reply, path, DONE[action])
    })
  }
}

/** The order changes with every run, so the file is read at once. */
const SCHEDULE_FILE: ListFile<FoundSchedule> = {
  place: 'schedules',
  columns: [
    ['id', (row) => row.id],
    ['created_at', (row) => row.createdAt],
    ...OWNER_COLUMNS,
    ['customer_id', (row) => row.customerId],
    ['customer', (row) => personName(row.customer)],
    ['rule', (row) => row.rule],
    ['total', (row) => row.total],
    ['currency', (row) => row.currency],
    ['status', (row) => row.status],
    ['next_run_at', (row) => row.nextRunAt],
    ['timezone', (row) => row.timezone],
    ['runs', (row) => row.count],
    ['most_runs', (row) => row.maxRuns],
    ['last_run_at', (row) => row.lastRunAt],
    ['last_invoice_status', (row) => row.lastInvoiceStatus],
  ],
  keyOf: ({ id }) => id,
  async find(world, query, rows) {
    const { schedules, pager, fault } = await search(world, query, rows)
    return { ...pager, rows: schedules, ...(fault !== undefined && { faults: { team: fault } }) }
  },
  faultsOf: (query) => {
    const fault = stateFault(query)
    return fault === undefined ? [] : [fault]
  },
  rowsARead: MOST_SCHEDULES,
  mostRows: MOST_SCHEDULES,
}

async function search(world: World, query: QueryParams, rows = A_PAGE) {
  const stage = choiceOf(query, 'state', SCHEDULE_STAGES) ?? 'coming'
  const range = choiceOf(query, 'range', RANGES) ?? 'week'
  const { accounts, fault } = await accountsAsked(world, query)
  const accountIds = accounts?.map(({ id }) => id)
  const page = numberedPage(SCHEDULES_PATH, query, rows)
  const filter = { stage, accountIds, skip: page.skip, most: rows }
  const { rows: schedules, pager } = page.show(await listSchedulesAnywhere(world, filter))
  return { query, stage, range, now: world.clock.now(), fault, schedules, pager }
}

async function runsOf(world: World, schedule: FoundSchedule, query: QueryParams) {
  const path = `${SCHEDULES_PATH}/${schedule.accountId}/${schedule.id}`
  const page = numberedPage(path, query, A_PAGE)
  const read = await listRuns(world, schedule, { skip: page.skip, most: A_PAGE })
  const { rows: runs, pager } = page.show(read)
  return { runs, pager }
}

async function find(world: World, params: OfAccount['Params']): Promise<FoundSchedule> {
  const account = await accountOf(world, params)
  const row = await findSchedule(world, account.id, params.id.toLowerCase())
  const { team, mode, clockAt } = account
  const now = world.accountNow({ clockAt })
  const own = { teamId: team.id, teamName: team.name, mode, now, hasOwnClock: clockAt !== null }
  return { ...row, ...own }
}

function accountOf(world: World, { account, id }: OfAccount['Params']): Promise<AccountWithTeam> {
  if (!isId(id)) throw notInAccount('schedule')
  return accountOfPath(world, account, 'schedule')
}

const AUDITED_AS = {
  pause: 'schedule paused',
  resume: 'schedule resumed',
  delete: 'schedule deleted',
} as const

const DONE = {
  pause: 'The schedule is paused.',
  resume: 'The schedule runs again.',
  delete: 'The schedule is deleted.',
} as const

/** The audit entry follows the action's own commit; the event of that commit names this request. */
async function act(
  world: World,
  request: FastifyRequest<OfAccount>,
  action: keyof typeof AUDITED_AS,
): Promise<{ readonly accountId: string; readonly id: string }> {
  const account = await accountOf(world, request.params)
  const context = operatorContext(request, actingOf(account))
  const id = request.params.id.toLowerCase()
  const { id: accountId } = account
  if (action === 'delete') await deleteSchedule(world, context, id)
  else {
    const status = action === 'pause' ? ('paused' as const) : ('active' as const)
    await changeSchedule(world, context, id, {
      fields: {},
      timing: {},
      status,
      customerId: undefined,
    })
  }
  const detail = { account: accountId, team: account.team.name }
  await writeAuditEntry(world, operatorOf(request), {
    action: AUDITED_AS[action],
    subject: id,
    detail,
  })
  return { accountId, id }
}
