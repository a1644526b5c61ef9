// The pages of schedules: the next runs of all accounts, and each schedule with its runs. Operators
// pause, resume and delete with the same actions as merchants.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AccountWithTeam, accountWithTeam } from '../../accounts/find-teams.ts'
import { Refusal } from '../../core/errors.ts'
import { isId } from '../../core/id.ts'
import { writeDeed } from '../../operators/deeds.ts'
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
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { ConsolePage } from '../layout.tsx'
import { grouped } from '../parts/pager.tsx'
import { personName } from '../parts/shown.tsx'
import {
  accountsAsked,
  choiceOf,
  pageNumber,
  pathWith,
  type QueryParams,
  queryOf,
} from '../query.ts'
import { SCHEDULES_PATH } from '../schedules/list.tsx'
import { RANGES } from '../schedules/outlook.ts'
import { SchedulePage } from '../schedules/schedule.tsx'
import { SchedulesPage } from '../schedules/schedules.tsx'
import { operatorOf } from '../who.ts'

const HIDDEN = { schema: { hide: true } }
const STYLES = ['now.css'] as const

const A_PAGE = 25

interface Named {
  readonly Params: { readonly account: string; readonly id: string }
}

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
  own.get<Named>('/schedules/:account/:id', HIDDEN, async (request, reply) => {
    const schedule = await find(world, request.params)
    const operator = operatorOf(request)
    const page = await runsOf(world, schedule, pageNumber(queryOf(request)))
    return answerHtml(
      reply,
      <ConsolePage
        title={`Schedule of ${personName(schedule.customer)}`}
        place="schedules"
        operator={operator}
        styles={STYLES}
      >
        <SchedulePage schedule={schedule} operator={operator} {...page} />
      </ConsolePage>,
    )
  })
  for (const action of ['pause', 'resume', 'delete'] as const) {
    own.post<Named>(`/schedules/:account/:id/${action}`, HIDDEN, async (request, reply) => {
      const { accountId, id } = await act(world, request, action)
      return reply.redirect(`${SCHEDULES_PATH}/${accountId}/${id}`, 303)
    })
  }
}

async function search(world: World, query: QueryParams) {
  const standing = choiceOf(query, 'state', SCHEDULE_STAGES) ?? 'coming'
  const range = choiceOf(query, 'range', RANGES) ?? 'week'
  const page = pageNumber(query)
  const { accounts, fault } = await accountsAsked(world, query)
  const accountIds = accounts?.map(({ id }) => id)
  const skip = (page - 1) * A_PAGE
  const listed = await listSchedulesAnywhere(world, { standing, accountIds, skip, most: A_PAGE })
  const pager = pagerOf(SCHEDULES_PATH, query, { page, skip, listed: listed.length })
  const now = world.clock.now()
  return { query, standing, range, now, fault, schedules: listed.slice(0, A_PAGE), pager }
}

async function runsOf(world: World, schedule: FoundSchedule, page: number) {
  const skip = (page - 1) * A_PAGE
  const runs = await listRuns(world, schedule, { skip, most: A_PAGE })
  const path = `${SCHEDULES_PATH}/${schedule.accountId}/${schedule.id}`
  return {
    runs: runs.slice(0, A_PAGE),
    pager: pagerOf(path, {}, { page, skip, listed: runs.length }),
  }
}

function pagerOf(
  path: string,
  query: QueryParams,
  { page, skip, listed }: { readonly page: number; readonly skip: number; readonly listed: number },
) {
  const to = (number: number) => pathWith(path, query, { page: number === 1 ? undefined : number })
  return {
    shown: `${grouped(skip + 1)}–${grouped(skip + Math.min(listed, A_PAGE))}`,
    newer: page > 1 ? to(page - 1) : undefined,
    older: listed > A_PAGE ? to(page + 1) : undefined,
  }
}

async function find(world: World, params: Named['Params']): Promise<FoundSchedule> {
  const account = await accountOf(world, params)
  const row = await findSchedule(world, account.id, params.id.toLowerCase())
  const { team, mode, clockAt } = account
  const now = world.accountNow({ clockAt })
  const own = { teamId: team.id, teamName: team.name, mode, now, hasOwnClock: clockAt !== null }
  return { ...row, ...own }
}

async function accountOf(world: World, { account, id }: Named['Params']): Promise<AccountWithTeam> {
  const isNamed = isId(account) && isId(id)
  const found = isNamed ? await accountWithTeam(world, account.toLowerCase()) : undefined
  if (found === undefined) throw new PageRefusal(404, 'Not found', 'There is no such schedule.')
  return found
}

const DEEDS = {
  pause: 'schedule paused',
  resume: 'schedule resumed',
  delete: 'schedule deleted',
} as const

/** The audit entry follows the action's own commit; the event of that commit names this request. */
async function act(
  world: World,
  request: FastifyRequest<Named>,
  action: keyof typeof DEEDS,
): Promise<{ readonly accountId: string; readonly id: string }> {
  const account = await accountOf(world, request.params)
  if (account.clockTarget !== null) throw new Refusal('clock_advancing')
  const id = request.params.id.toLowerCase()
  const { id: accountId, clockAt } = account
  const context = { accountId, clockAt, requestId: request.id, idempotencyKey: undefined }
  if (action === 'delete') await deleteSchedule(world, context, id)
  else {
    const status = action === 'pause' ? ('paused' as const) : ('active' as const)
    await changeSchedule(world, context, id, { fields: {}, status, customerId: undefined })
  }
  const detail = { account: accountId, team: account.team.name }
  await writeDeed(world, operatorOf(request), { deed: DEEDS[action], subject: id, detail })
  return { accountId, id }
}
