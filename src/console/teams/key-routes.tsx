// The routes of keys. Only the answer that makes a key contains it; no audit entry and no log does.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TeamWithAccounts } from '../../accounts/find-teams.ts'
import {
  findKey,
  type KeyOfTeam,
  readDialect,
  readExpiry,
  writeKey,
} from '../../accounts/manage-keys.ts'
import { OperatorError } from '../../accounts/operator-error.ts'
import { isId } from '../../core/id.ts'
import { isDuplicate } from '../../db/failure.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { type Form, formOf } from '../../web/forms.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { redirectDone } from '../done.ts'
import { operatorOf } from '../who.ts'
import { ACTS, answerKey, answerMade, faultsOf, typedKeyForm } from './key-acts.tsx'
import { TEAMS_PATH } from './list.tsx'
import type { Refused } from './settings.ts'

const HIDDEN = { schema: { hide: true } }

interface TeamPage {
  readonly teamOf: (id: string) => Promise<TeamWithAccounts>
  /** Shows the team's page again, with the typed values. */
  readonly refuse: (
    request: FastifyRequest,
    reply: FastifyReply,
    team: TeamWithAccounts,
    refused: Refused,
  ) => Promise<FastifyReply>
}

interface OfTeam {
  readonly Params: { readonly id: string }
}

interface OfKey {
  readonly Params: { readonly id: string; readonly key: string }
}

export function keyRoutes(own: FastifyInstance, world: World, teamPage: TeamPage): void {
  own.post<OfTeam>('/teams/:id/keys', HIDDEN, async (request, reply) => {
    const team = await teamPage.teamOf(request.params.id)
    const typed = typedKeyForm(formOf(request))
    const faults = faultsOf(world, typed)
    if (Object.keys(faults).length > 0) {
      return teamPage.refuse(request, reply, team, { section: 'key', typed, faults })
    }
    const { id = '' } = formOf(request)
    if (!isId(id)) throw new PageRefusal(400, 'The form is incomplete', 'Open the page again.')
    return answerNewKey(world, request, reply, team, { ...typed, id: id.toLowerCase() })
  })
  own.get<OfKey>('/teams/:id/keys/:key', HIDDEN, async (request, reply) =>
    answerKey(world, request, reply, await keyOf(world, request.params)),
  )
  for (const [path, act] of Object.entries(ACTS)) {
    own.post<OfKey>(`/teams/:id/keys/:key/${path}`, HIDDEN, async (request, reply) => {
      const apiKey = await keyOf(world, request.params)
      return act(world, request, reply, apiKey)
    })
  }
}

async function answerNewKey(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  team: TeamWithAccounts,
  { id = '', mode, key_name: name = '', dialect: sent = '', expires = '' }: Form,
): Promise<FastifyReply> {
  const account = team.accounts.find((one) => one.mode === mode)
  if (account === undefined) throw new OperatorError(`${team.name} has no ${mode} account`)
  const now = world.clock.now()
  const dialect = sent === '' ? 'standard' : readDialect(sent)
  const expiresAt = expires === '' ? undefined : readExpiry(expires, now)
  const made = await world.db.prisma
    .$transaction(async (tx) => {
      const key = { id, accountId: account.id, mode: account.mode, name, dialect, expiresAt }
      const created = await writeKey(world, tx, key)
      const detail = { team: team.id, mode: account.mode, name, prefix: created.prefix }
      const ends = { dialect, ends: expiresAt?.toISOString() ?? 'never' }
      const entry = { action: 'key made', subject: created.id, detail: { ...detail, ...ends } }
      await writeAuditEntry(world, operatorOf(request), entry, tx)
      return created
    })
    .catch((error) => {
      // The form was sent before.
      if (isDuplicate(error)) return undefined
      throw error
    })
  if (made !== undefined) return answerMade(request, reply, team.id, made)
  const words = 'This key was made before, and shown then.'
  return redirectDone(world, request, reply, `${TEAMS_PATH}/${team.id}/keys/${id}`, words)
}

async function keyOf(world: World, { id, key }: OfKey['Params']): Promise<KeyOfTeam> {
  const isThere = isId(key) && (await world.db.prisma.apiKey.count({ where: { id: key } })) > 0
  const found = isThere ? await findKey(world, key) : undefined
  if (found?.account.teamId === id) return found
  throw new PageRefusal(404, 'Not found', 'The team has no such key.')
}
