// The form that adds a webhook endpoint, and its answer.

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { MODES } from '../../accounts/key.ts'
import { isId } from '../../core/id.ts'
import { cleanText } from '../../core/redact.ts'
import { type Form, formOf } from '../../web/forms.ts'
import { createWebhook } from '../../webhooks/create-webhook.ts'
import type { World } from '../../world.ts'
import { auditAction } from '../account-of.ts'
import { answerConsole } from '../answer-console.tsx'
import { redirectDone } from '../done.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { ChoiceField, FormFault, type FormFaults, fieldsOf, TextField } from '../parts/fields.tsx'
import { accountTyped, isFaulty } from '../parts/typed.ts'
import { ENDPOINTS_PATH, endpointPath } from '../paths.ts'
import { queryOf } from '../query.ts'
import { contextOf, refuseWhileAdvancing, secretShown } from './acts.tsx'
import { EndpointFields } from './forms.tsx'
import { NEW_ENDPOINT_PATH } from './list.tsx'
import { endpointAt } from './one.tsx'
import { addressFaults, endpointInput, refusalFaults, typedEndpoint } from './typed.ts'

export function newEndpointPages(own: FastifyInstance, world: World): void {
  own.get('/endpoints/new', async (request, reply) => {
    const { team } = queryOf(request)
    const typed = team === undefined ? {} : { team: await teamNameOf(world, team) }
    return answerNew(world, reply, typed)
  })
  own.post('/endpoints/new', (_request, reply) => answerAdded(world, reply))
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

interface NewEndpointProps {
  /** The key of the request that creates it, so that a form sent twice creates one. */
  readonly requestKey: string
  readonly typed: Form
  readonly faults?: FormFaults | undefined
}

function NewEndpoint({ requestKey, typed, faults = {} }: NewEndpointProps) {
  const field = fieldsOf(typed, faults)
  return (
    <ActionForm to={NEW_ENDPOINT_PATH} class="card stack" fields={{ key: requestKey }}>
      <FormFault text={faults.form} />
      <TextField {...field('team')} label="Team" hint="Its name or id." isRequired />
      <ChoiceField {...field('mode')} label="Mode" choices={MODES} />
      <EndpointFields typed={typed} faults={faults} />
      <Submit cancel={ENDPOINTS_PATH}>Add endpoint</Submit>
    </ActionForm>
  )
}
