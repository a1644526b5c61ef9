// The pages of teams and keys: the list, the form for a new team, a team with its settings, and one
// of its keys.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { LONGEST_TEAM_NAME, writeTeam } from '../../accounts/create-team.ts'
import { findTeam, searchTeams, type TeamWithAccounts } from '../../accounts/find-teams.ts'
import { logosOf } from '../../accounts/keep-logo.ts'
import { findKey, type KeyOfTeam, keyStateOf, listKeys } from '../../accounts/manage-keys.ts'
import { isId } from '../../core/id.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { sentenceOf } from '../../core/sentence.ts'
import { countHeld } from '../../deliveries/parked.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { formOf, lineOf } from '../../web/forms.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import { redirectDone } from '../done.ts'
import { addDetailPage, type DetailPage } from '../parts/detail-page.tsx'
import type { FormFaults } from '../parts/fields.tsx'
import { ROWS_A_PAGE } from '../parts/found-rows.ts'
import { numberedPage } from '../parts/pager.tsx'
import { teamPath } from '../paths.ts'
import { queryOf } from '../query.ts'
import { TEAM_ACTIONS } from '../teams/acts.tsx'
import { endpointsOf } from '../teams/endpoints.tsx'
import { KEY_ACTIONS, type RefusedKey } from '../teams/key-acts.tsx'
import { TeamList } from '../teams/list.tsx'
import { OneTeam } from '../teams/one.tsx'
import { OneKey } from '../teams/one-key.tsx'
import type { RefusedTeam } from '../teams/settings.ts'
import { operatorOf } from '../who.ts'

export function teamPages(own: FastifyInstance, world: World): void {
  own.get('/teams', (_request, reply) => answerList(world, reply))
  own.post('/teams', (_request, reply) => answerNewTeam(world, reply))
  addDetailPage(own, world, ONE_TEAM)
  addDetailPage(own, world, ONE_KEY)
}

interface TeamParams {
  readonly id: string
}

const ONE_TEAM: DetailPage<TeamParams, TeamWithAccounts, RefusedTeam> = {
  place: 'teams',
  path: 'teams/:id',
  async find(world, { id }) {
    const isThere = isId(id) && (await world.db.prisma.team.count({ where: { id } })) > 0
    if (!isThere) throw new PageRefusal(404, 'Not found', 'There is no such team.')
    return findTeam(world, id)
  },
  title: ({ name }) => name,
  async body({ world, found: team, refused }) {
    const accountIds = team.accounts.map(({ id }) => id)
    const [keys, endpoints, logos, held] = await Promise.all([
      listKeys(world, team.id),
      endpointsOf(world, accountIds),
      logosOf(world.db, accountIds),
      countHeld(world, accountIds),
    ])
    const newKeyId = world.newId()
    const asOf = world.clock.now()
    return <OneTeam {...{ team, keys, newKeyId, endpoints, logos, held, asOf, refused }} />
  },
  takesFiles: true,
  actions: TEAM_ACTIONS,
}

interface KeyParams extends TeamParams {
  readonly key: string
}

const ONE_KEY: DetailPage<KeyParams, KeyOfTeam, RefusedKey> = {
  place: 'teams',
  path: 'teams/:id/keys/:key',
  async find(world, { id, key }) {
    const isThere = isId(key) && (await world.db.prisma.apiKey.count({ where: { id: key } })) > 0
    const found = isThere ? await findKey(world, key) : undefined
    if (found?.account.teamId === id) return found
    throw new PageRefusal(404, 'Not found', 'The team has no such key.')
  },
  title: ({ name }) => `Key ${name}`,
  body({ world, found: apiKey, refused }) {
    const state = keyStateOf(apiKey, world.clock.now())
    return <OneKey {...{ apiKey, state, ...refused }} />
  },
  actions: KEY_ACTIONS,
}

async function answerList(
  world: World,
  reply: FastifyReply,
  refused: { readonly typed?: string; readonly faults?: FormFaults } = {},
): Promise<FastifyReply> {
  const { request } = reply
  const query = queryOf(request)
  const page = numberedPage(query, ROWS_A_PAGE)
  const { teams, total } = await searchTeams(world, query.q, { skip: page.skip, take: ROWS_A_PAGE })
  const pager = page.pagerOf(teams.length, total)
  return answerConsole(
    reply,
    { title: 'Teams and keys', place: 'teams', faults: refused.faults },
    <TeamList {...{ query, teams, pager, ...refused }} />,
  )
}

async function answerNewTeam(world: World, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply
  const name = lineOf(formOf(request).name, LONGEST_TEAM_NAME)
  const refuse = (fault: string) =>
    answerList(world, reply, { typed: name, faults: { name: fault } })
  if (name === '') return refuse('Enter a name.')
  try {
    const id = await world.db.prisma.$transaction(async (tx) => {
      const made = await writeTeam(world, tx, name)
      const entry = { action: 'team made', subject: made.id, detail: { name } }
      await writeAuditEntry(world, operatorOf(request), entry, tx)
      return made.id
    })
    const words = 'The team is made. It needs a key: make one below.'
    return redirectDone(world, reply, teamPath(id), words)
  } catch (error) {
    if (error instanceof OperatorError) return refuse(sentenceOf(error.message))
    throw error
  }
}
