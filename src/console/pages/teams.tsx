// The pages of teams: the list, the form for a new team, and a team with its settings. A change and
// its audit entry are one commit.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { changeTeam, type TeamChange } from '../../accounts/change-team.ts'
import { writeTeam } from '../../accounts/create-team.ts'
import { findTeam, searchTeams, type TeamWithAccounts } from '../../accounts/find-teams.ts'
import { listKeys } from '../../accounts/manage-keys.ts'
import { isId } from '../../core/id.ts'
import { writeDeed } from '../../operators/deeds.ts'
import { type Form, formOf } from '../../web/forms.ts'
import { answerHtml } from '../../web/html.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { ConsolePage } from '../layout.tsx'
import type { FormFaults } from '../parts/fields.tsx'
import { pageNumber, queryOf } from '../query.ts'
import { endpointsOf } from '../teams/endpoints.tsx'
import { keyRoutes } from '../teams/key-routes.tsx'
import { PAGE_ROWS, TEAMS_PATH, TeamList } from '../teams/list.tsx'
import { OneTeam } from '../teams/one.tsx'
import {
  isSection,
  type Refused,
  readChanges,
  type SettingChange,
  settingChanges,
  settingsOf,
  typedSettings,
} from '../teams/settings.ts'
import { operatorOf } from '../who.ts'

const HIDDEN = { schema: { hide: true } }

const LONGEST_NAME = 120

interface OfOne {
  readonly Params: { readonly id: string }
}

export function teamPages(own: FastifyInstance, world: World): void {
  own.get('/teams', HIDDEN, (request, reply) => answerList(world, request, reply))
  own.post('/teams', HIDDEN, (request, reply) => answerNewTeam(world, request, reply))
  own.get<OfOne>('/teams/:id', HIDDEN, async (request, reply) => {
    const team = await teamOf(world, request.params.id)
    const isSaved = 'saved' in Object(request.query)
    return answerTeam(world, request, reply, team, { isSaved })
  })
  own.post<OfOne>('/teams/:id', HIDDEN, async (request, reply) => {
    const team = await teamOf(world, request.params.id)
    return answerSettings(world, request, reply, team)
  })
  keyRoutes(own, world, {
    teamOf: (id) => teamOf(world, id),
    refuse: (request, reply, team, refused) =>
      answerTeam(world, request, reply, team, { refused }, 422),
  })
}

async function answerList(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  refused: { readonly typed?: string; readonly faults?: FormFaults } = {},
): Promise<FastifyReply> {
  const query = queryOf(request)
  const page = pageNumber(query)
  const found = await searchTeams(world, query.q, { skip: (page - 1) * PAGE_ROWS, take: PAGE_ROWS })
  const operator = operatorOf(request)
  return answerHtml(
    reply,
    <ConsolePage title="Teams and keys" place="teams" operator={operator}>
      <TeamList {...{ query, page, found, operator, ...refused }} />
    </ConsolePage>,
    refused.faults === undefined ? 200 : 422,
  )
}

async function answerNewTeam(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const name = nameOf(formOf(request))
  if (name === '') {
    return answerList(world, request, reply, { typed: name, faults: { name: 'Enter a name.' } })
  }
  const id = await world.db.prisma.$transaction(async (tx) => {
    const made = await writeTeam(world, tx, name)
    const deed = { deed: 'team made', subject: made.id, detail: { name } }
    await writeDeed(world, operatorOf(request), deed, tx)
    return made.id
  })
  return reply.redirect(`${TEAMS_PATH}/${id}`, 303)
}

function nameOf({ name = '' }: Form): string {
  return name.replaceAll('\0', '').trim().slice(0, LONGEST_NAME)
}

async function answerSettings(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  team: TeamWithAccounts,
): Promise<FastifyReply> {
  const form = formOf(request)
  const { section } = form
  if (!isSection(section))
    throw new PageRefusal(400, 'The form is incomplete', 'Open the page again.')
  const typed = typedSettings(form, section)
  const changes = settingChanges(settingsOf(team, section), typed)
  const { faults, read } = readChanges(changes)
  if (Object.keys(faults).length > 0) {
    const refused = { section, typed, faults }
    return answerTeam(world, request, reply, team, { refused }, 422)
  }
  if (changes.length > 0) await change(world, request, team.id, changes, read)
  return reply.redirect(`${TEAMS_PATH}/${team.id}?saved`, 303)
}

async function change(
  world: World,
  request: FastifyRequest,
  teamId: string,
  changes: readonly SettingChange[],
  read: readonly TeamChange[],
): Promise<void> {
  const detail = Object.fromEntries(changes.map(({ name, from, to }) => [name, `${from} → ${to}`]))
  await world.db.prisma.$transaction(async (tx) => {
    await changeTeam(world, teamId, read, tx)
    const deed = { deed: 'team changed', subject: teamId, detail }
    await writeDeed(world, operatorOf(request), deed, tx)
  })
}

async function answerTeam(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  team: TeamWithAccounts,
  more: { readonly refused?: Refused; readonly isSaved?: boolean },
  status = 200,
): Promise<FastifyReply> {
  const accountIds = team.accounts.map(({ id }) => id)
  const [keys, endpoints] = await Promise.all([
    listKeys(world, team.id),
    endpointsOf(world, accountIds),
  ])
  const operator = operatorOf(request)
  return answerHtml(
    reply,
    <ConsolePage title={team.name} place="teams" operator={operator}>
      <OneTeam {...{ team, keys, endpoints, operator, ...more }} />
    </ConsolePage>,
    status,
  )
}

async function teamOf(world: World, id: string): Promise<TeamWithAccounts> {
  const isThere = isId(id) && (await world.db.prisma.team.count({ where: { id } })) > 0
  if (!isThere) throw new PageRefusal(404, 'Not found', 'There is no such team.')
  return findTeam(world, id)
}
