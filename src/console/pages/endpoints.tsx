// The pages of webhook endpoints: the list, the form for a new one, and one with its actions.

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { isId } from '../../core/id.ts'
import { cleanText } from '../../core/redact.ts'
import { deliveriesOfEndpoint } from '../../deliveries/deliveries-anywhere.ts'
import { type Form, formOf } from '../../web/forms.ts'
import { createWebhook } from '../../webhooks/create-webhook.ts'
import { findEndpoint, RECENT_OF_ONE } from '../../webhooks/endpoints-anywhere.ts'
import type { World } from '../../world.ts'
import { auditAction, namedInAccount, type ObjectParams } from '../account-of.ts'
import { answerConsole } from '../answer-console.tsx'
import { redirectDone } from '../done.ts'
import {
  contextOf,
  ENDPOINT_ACTIONS,
  type OfEndpoint,
  refusedAction,
  refuseWhileAdvancing,
  secretShown,
} from '../endpoints/acts.tsx'
import { NewEndpoint } from '../endpoints/forms.tsx'
import { ENDPOINT_LIST } from '../endpoints/list.tsx'
import { OneEndpoint } from '../endpoints/one.tsx'
import {
  addressFaults,
  endpointInput,
  type RefusedEndpoint,
  refusalFaults,
  typedEndpoint,
} from '../endpoints/typed.ts'
import { addDetailPage, type DetailPage } from '../parts/detail-page.tsx'
import type { FormFaults } from '../parts/fields.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { accountTyped, isFaulty } from '../parts/typed.ts'
import { endpointPath } from '../paths.ts'
import { queryOf } from '../query.ts'

export function endpointPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, ENDPOINT_LIST)
  own.get('/endpoints/new', async (request, reply) => {
    const { team } = queryOf(request)
    const typed = team === undefined ? {} : { team: await teamNameOf(world, team) }
    return answerNew(world, reply, typed)
  })
  own.post('/endpoints', (_request, reply) => answerAdded(world, reply))
  addDetailPage(own, world, ONE_ENDPOINT)
}

const ONE_ENDPOINT: DetailPage<ObjectParams, OfEndpoint, RefusedEndpoint> = {
  place: 'endpoints',
  find: endpointAt,
  title: ({ endpoint: { targetUrl } }) =>
    `Endpoint ${URL.canParse(targetUrl) ? new URL(targetUrl).host : ''}`,
  async body({ world, found: { endpoint, account }, refused }) {
    const deliveries = await deliveriesOfEndpoint(world, endpoint, RECENT_OF_ONE)
    const [requestKey, now] = [world.newId(), world.clock.now()]
    return <OneEndpoint {...{ endpoint, account, deliveries, requestKey, now, refused }} />
  },
  actions: ENDPOINT_ACTIONS,
  refusedBy: refusedAction,
}

/** A deleted one is shown and takes no more forms. */
async function endpointAt(world: World, params: ObjectParams): Promise<OfEndpoint> {
  const { account, found } = await namedInAccount(world, params, 'endpoint', findEndpoint)
  return { account, endpoint: found }
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
  reply: FastifyReply,
  typed: Form,
  faults?: FormFaults,
): FastifyReply {
  const { request } = reply
  const { key = '' } = faults === undefined ? {} : formOf(request)
  const requestKey = isId(key) ? key : world.newId()
  return answerConsole(
    reply,
    { title: 'New webhook endpoint', place: 'endpoints', faults },
    <NewEndpoint {...{ requestKey, typed, faults }} />,
  )
}

async function answerAdded(world: World, reply: FastifyReply): Promise<FastifyReply> {
  const typed = typedEndpoint(formOf(reply.request))
  const { team = '', mode = '' } = typed
  const { account, faults } = await accountTyped(world, team, mode)
  const allFaults = { ...faults, ...addressFaults(typed) }
  if (account === undefined || isFaulty(allFaults)) {
    return answerNew(world, reply, typed, allFaults)
  }
  try {
    refuseWhileAdvancing(account)
    return await add(world, reply, account, typed)
  } catch (error) {
    const refused = refusalFaults(error, 'form')
    if (refused === undefined) throw error
    return answerNew(world, reply, typed, refused)
  }
}

/** The answer to the first sending shows the secret; a repeat does not show it again. */
async function add(
  world: World,
  reply: FastifyReply,
  account: AccountWithTeam,
  typed: Form,
): Promise<FastifyReply> {
  const { request } = reply
  const input = endpointInput(typed)
  const done = await createWebhook(world, contextOf(account, request), input)
  const { id, secret } = JSON.parse(done.body)
  const key = { accountId: account.id, id: String(id) }
  if (done.isReplayed) {
    const words = 'This endpoint was added before, and its secret was shown then.'
    return redirectDone(world, reply, endpointPath(key), words)
  }
  const detail = { address: cleanText(input.targetUrl), events: input.events.join(' ') }
  await auditAction({ world, request }, account, 'endpoint added', key.id, detail)
  const { endpoint } = await endpointAt(world, { account: account.id, id: key.id })
  const { title, once } = secretShown(world, endpoint, String(secret))
  return answerConsole(reply, { title, place: 'endpoints' }, once)
}
