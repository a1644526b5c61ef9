// The pages of webhook endpoints: the list, the form for a new one, and one with its actions.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AccountWithTeam, accountWithTeam } from '../../accounts/find-teams.ts'
import { MODES } from '../../accounts/key.ts'
import { isId } from '../../core/id.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { type Form, formOf } from '../../web/forms.ts'
import { answerHtml } from '../../web/html.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import { createWebhook } from '../../webhooks/create-webhook.ts'
import { findEndpoint } from '../../webhooks/endpoints-anywhere.ts'
import type { World } from '../../world.ts'
import { redirectDone } from '../done.ts'
import {
  answerEndpoint,
  answerSecret,
  contextOf,
  ENDPOINT_ACTS,
  type OfEndpoint,
  refuseWhileAdvancing,
} from '../endpoints/acts.tsx'
import { NewEndpoint } from '../endpoints/forms.tsx'
import { ENDPOINT_LIST, endpointPath } from '../endpoints/list.tsx'
import { addressFaults, endpointOf, refusalFaults, typedEndpoint } from '../endpoints/typed.ts'
import { ConsolePage } from '../layout.tsx'
import type { FormFaults } from '../parts/fields.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { accountsAsked, queryOf } from '../query.ts'
import { operatorOf } from '../who.ts'

const HIDDEN = { schema: { hide: true } }

interface OfOne {
  readonly Params: { readonly account: string; readonly id: string }
}

export function endpointPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, ENDPOINT_LIST)
  own.get('/endpoints/new', HIDDEN, async (request, reply) => {
    const { team } = queryOf(request)
    const typed = team === undefined ? {} : { team: await teamNameOf(world, team) }
    return answerNew(world, request, reply, typed)
  })
  own.post('/endpoints', HIDDEN, (request, reply) => answerAdded(world, request, reply))
  own.get<OfOne>('/endpoints/:account/:id', HIDDEN, async (request, reply) =>
    answerEndpoint(world, request, reply, await endpointOfPath(world, request.params)),
  )
  for (const [path, act] of Object.entries(ENDPOINT_ACTS)) {
    own.post<OfOne>(`/endpoints/:account/:id/${path}`, HIDDEN, async (request, reply) => {
      const found = await endpointOfPath(world, request.params)
      if (found.endpoint.deletedAt !== null) throw NOT_FOUND
      return act({ world, request, reply, ...found })
    })
  }
}

/** A list's filter may name a team by its id; people read its name, if only one team has it. */
async function teamNameOf(world: World, team: string): Promise<string> {
  if (!isId(team)) return team
  const found = await world.db.prisma.team.findUnique({ where: { id: team } })
  if (found === null) return team
  const namesakes = await world.db.prisma.team.count({ where: { name: found.name } })
  return namesakes === 1 ? found.name : team
}

function answerNew(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  typed: Form,
  faults?: FormFaults,
): FastifyReply {
  const operator = operatorOf(request)
  const { key = '' } = faults === undefined ? {} : formOf(request)
  const requestKey = isId(key) ? key : world.newId()
  return answerHtml(
    reply,
    <ConsolePage title="New webhook endpoint" place="endpoints" operator={operator}>
      <NewEndpoint {...{ requestKey, typed, faults, operator }} />
    </ConsolePage>,
    faults === undefined ? 200 : 422,
  )
}

async function answerAdded(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const typed = typedEndpoint(formOf(request))
  const { account, faults } = await accountOf(world, typed)
  const allFaults = { ...faults, ...addressFaults(typed) }
  if (account === undefined || Object.keys(allFaults).length > 0) {
    return answerNew(world, request, reply, typed, allFaults)
  }
  try {
    refuseWhileAdvancing({ account })
    return await add(world, request, reply, account, typed)
  } catch (error) {
    const refused = refusalFaults(error, 'form')
    if (refused === undefined) throw error
    return answerNew(world, request, reply, typed, refused)
  }
}

/** The answer to the first sending shows the secret; a repeat does not show it again. */
async function add(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  account: AccountWithTeam,
  typed: Form,
): Promise<FastifyReply> {
  const input = endpointOf(typed)
  const done = await createWebhook(world, contextOf(account, request), input)
  const { id, secret } = JSON.parse(done.body)
  const key = { accountId: account.id, id: String(id) }
  if (done.isReplayed) {
    const words = 'This endpoint was added before, and its secret was shown then.'
    return redirectDone(world, request, reply, endpointPath(key), words)
  }
  await writeAuditEntry(world, operatorOf(request), {
    action: 'endpoint added',
    subject: key.id,
    detail: { account: account.id, address: input.targetUrl, events: input.events.join(' ') },
  })
  const { endpoint } = await endpointOfPath(world, { account: account.id, id: key.id })
  return answerSecret(world, request, reply, endpoint, String(secret))
}

/** The account of the team that has the mode. */
async function accountOf(
  world: World,
  { team = '', mode }: Form,
): Promise<{ readonly account?: AccountWithTeam; readonly faults: FormFaults }> {
  if (!MODES.some((one) => one === mode)) return { faults: { mode: 'Choose live or sandbox.' } }
  if (team === '') return { faults: { team: 'Enter the team.' } }
  const { accounts = [], fault } = await accountsAsked(world, { team })
  if (fault !== undefined) return { faults: { team: sentence(fault) } }
  const named = accounts.find((one) => one.mode === mode)
  const account = named && (await accountWithTeam(world, named.id))
  return account === undefined
    ? { faults: { mode: `It has no ${mode} account.` } }
    : { account, faults: {} }
}

function sentence(fault: string): string {
  return `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`
}

const NOT_FOUND = new PageRefusal(404, 'Not found', 'There is no such endpoint in that account.')

async function endpointOfPath(
  world: World,
  { account: accountId, id }: OfOne['Params'],
): Promise<OfEndpoint> {
  if (!isId(accountId) || !isId(id)) throw NOT_FOUND
  const [endpoint, account] = await Promise.all([
    findEndpoint(world, accountId, id),
    accountWithTeam(world, accountId),
  ])
  if (endpoint === undefined || account === undefined) throw NOT_FOUND
  return { endpoint, account }
}
