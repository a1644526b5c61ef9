// The pages of teams: the list, the form for a new team, and a team with its settings. A change and
// its audit entry are one commit.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { changeTeam, type TeamChange } from '../../accounts/change-team.ts'
import { writeTeam } from '../../accounts/create-team.ts'
import { findTeam, searchTeams, type TeamWithAccounts } from '../../accounts/find-teams.ts'
import { logosOf } from '../../accounts/keep-logo.ts'
import { listKeys } from '../../accounts/manage-keys.ts'
import { isId } from '../../core/id.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { formOf, lineOf, readUploads, UPLOAD_BYTES } from '../../web/forms.ts'
import { answerHtml } from '../../web/html.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { redirectDone, savedWords, takeDone } from '../done.ts'
import { ConsolePage } from '../layout.tsx'
import type { FormFaults } from '../parts/fields.tsx'
import { numberedPage } from '../parts/pager.tsx'
import { queryOf } from '../query.ts'
import { endpointsOf } from '../teams/endpoints.tsx'
import { keyRoutes } from '../teams/key-routes.tsx'
import { PAGE_ROWS, TEAMS_PATH, TeamList } from '../teams/list.tsx'
import { readLogoForm } from '../teams/look-logo.ts'
import { OneTeam } from '../teams/one.tsx'
import {
  isLook,
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
    return answerTeam(world, request, reply, team)
  })
  own.post<OfOne>('/teams/:id', HIDDEN, async (request, reply) => {
    const team = await teamOf(world, request.params.id)
    return answerSettings(world, request, reply, team)
  })
  own.register(async (withFiles) => lookFormRoute(withFiles, world))
  keyRoutes(own, world, {
    teamOf: (id) => teamOf(world, id),
    refuse: (request, reply, team, refused) => answerTeam(world, request, reply, team, refused),
  })
}

function lookFormRoute(own: FastifyInstance, world: World): void {
  readUploads(own)
  const options = { ...HIDDEN, bodyLimit: UPLOAD_BYTES }
  own.post<OfOne>('/teams/:id/look', options, async (request, reply) => {
    const team = await teamOf(world, request.params.id)
    return answerSettings(world, request, reply, team)
  })
}

async function answerList(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  refused: { readonly typed?: string; readonly faults?: FormFaults } = {},
): Promise<FastifyReply> {
  const query = queryOf(request)
  const page = numberedPage(TEAMS_PATH, query, PAGE_ROWS)
  const { teams, total } = await searchTeams(world, query.q, { skip: page.skip, take: PAGE_ROWS })
  const pager = page.pagerOf(teams.length, total)
  const operator = operatorOf(request)
  return answerHtml(
    reply,
    <ConsolePage title="Teams and keys" place="teams" operator={operator}>
      <TeamList {...{ query, teams, pager, operator, ...refused }} />
    </ConsolePage>,
    refused.faults === undefined ? 200 : 422,
  )
}

async function answerNewTeam(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const name = lineOf(formOf(request).name, LONGEST_NAME)
  if (name === '') {
    return answerList(world, request, reply, { typed: name, faults: { name: 'Enter a name.' } })
  }
  const id = await world.db.prisma.$transaction(async (tx) => {
    const made = await writeTeam(world, tx, name)
    const entry = { action: 'team made', subject: made.id, detail: { name } }
    await writeAuditEntry(world, operatorOf(request), entry, tx)
    return made.id
  })
  const words = 'The team is made. It needs a key: make one below.'
  return redirectDone(world, request, reply, `${TEAMS_PATH}/${id}`, words)
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
  const logo = isLook(section) ? await readLogoForm(world, request, team, section) : undefined
  const typedChanges = settingChanges(settingsOf(team, section), typed)
  const changes = [...typedChanges, ...(logo?.change === undefined ? [] : [logo.change])]
  const { read, ...found } = readChanges(world, typedChanges)
  const faults = { ...found.faults, ...logo?.faults }
  if (Object.keys(faults).length > 0) {
    const refused = { section, typed, faults }
    return answerTeam(world, request, reply, team, refused)
  }
  if (changes.length > 0) {
    const all = [...read, ...(logo?.read === undefined ? [] : [logo.read])]
    await change(world, request, team.id, changes, all)
  }
  const path = `${TEAMS_PATH}/${team.id}`
  return redirectDone(world, request, reply, path, savedWords(changes.length))
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
    const entry = { action: 'team changed', subject: teamId, detail }
    await writeAuditEntry(world, operatorOf(request), entry, tx)
  })
}

async function answerTeam(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  team: TeamWithAccounts,
  refused?: Refused,
): Promise<FastifyReply> {
  const accountIds = team.accounts.map(({ id }) => id)
  const [keys, endpoints, logos] = await Promise.all([
    listKeys(world, team.id),
    endpointsOf(world, accountIds),
    logosOf(world.db, accountIds),
  ])
  const operator = operatorOf(request)
  return answerHtml(
    reply,
    <ConsolePage
      title={team.name}
      place="teams"
      operator={operator}
      done={takeDone(world, request, reply)}
    >
      <OneTeam {...{ team, keys, newKeyId: world.newId(), endpoints, logos, operator, refused }} />
    </ConsolePage>,
    refused === undefined ? 200 : 422,
  )
}

async function teamOf(world: World, id: string): Promise<TeamWithAccounts> {
  const isThere = isId(id) && (await world.db.prisma.team.count({ where: { id } })) > 0
  if (!isThere) throw new PageRefusal(404, 'Not found', 'There is no such team.')
  return findTeam(world, id)
}
