// The form that adds a webhook endpoint, and its answer.

import { isId } from '../../core/id.ts'
import { cleanText } from '../../core/redact.ts'
import { createWebhook } from '../../webhooks/create-webhook.ts'
import type { World } from '../../world.ts'
import { auditAction, keyOfForm, refuseWhileAdvancing } from '../account-of.ts'
import { AccountFields, accountTyped } from '../parts/account-fields.tsx'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { type FilledForm, FormFault } from '../parts/fields.tsx'
import type { Acting, ObjectPage, Outcome } from '../parts/object-page.tsx'
import { isFaulty } from '../parts/typed.ts'
import { ENDPOINTS_PATH, endpointPath } from '../paths.ts'
import { queryOf } from '../query.ts'
import { contextOf, secretShown } from './actions.tsx'
import {
  addressFaults,
  EndpointFields,
  endpointInput,
  refusalFaults,
  typedEndpoint,
} from './endpoint-forms.tsx'
import { NEW_ENDPOINT_PATH } from './list.tsx'
import { endpointAt } from './one.tsx'

interface EndpointForm extends FilledForm {
  /** The key of the request that creates it, so that a form sent twice creates one. */
  readonly key: string
}

export const NEW_ENDPOINT: ObjectPage<unknown, EndpointForm, EndpointForm> = {
  place: 'endpoints',
  path: 'endpoints/new',
  async find(world, _params, request) {
    const { team } = queryOf(request)
    const typed = team === undefined ? {} : { team: await teamNameOf(world, team) }
    return { typed, faults: {}, key: world.newId() }
  },
  title: () => 'New webhook endpoint',
  body: ({ found, refused = found }) => <NewEndpoint {...refused} />,
  submit: addEndpoint,
  refusedBy(error, { form }) {
    const faults = refusalFaults(error, 'form')
    return faults && { typed: typedEndpoint(form), faults, key: keyOfForm(form) }
  },
}

/** A list's filter may name a team by its id; people read its name, if only one team has it. */
async function teamNameOf(world: World, team: string): Promise<string> {
  if (!isId(team)) return team
  const found = await world.db.prisma.team.findUnique({ where: { id: team } })
  if (found === null) return team
  const namesakes = await world.db.prisma.team.count({ where: { name: found.name } })
  return namesakes === 1 ? found.name : team
}

/** The answer to the first sending shows the secret; a repeat does not show it again. */
async function addEndpoint(acting: Acting<EndpointForm>): Promise<Outcome<EndpointForm>> {
  const { world, request, form } = acting
  const [typed, key] = [typedEndpoint(form), keyOfForm(form)]
  const { account, faults: unknown } = await accountTyped(world, typed)
  const faults = { ...unknown, ...addressFaults(typed) }
  if (account === undefined || isFaulty(faults)) return { refused: { typed, faults, key } }
  refuseWhileAdvancing(account)
  const input = endpointInput(typed)
  const done = await createWebhook(world, contextOf(account, request), input)
  const { id, secret } = JSON.parse(done.body) as { readonly id: string; readonly secret: string }
  if (done.isReplayed) {
    const words = 'This endpoint was added before, and its secret was shown then.'
    return { done: words, path: endpointPath({ accountId: account.id, id }) }
  }
  const detail = { address: cleanText(input.targetUrl), events: input.events.join(' ') }
  await auditAction(acting, account, 'endpoint added', id, detail)
  const { endpoint } = await endpointAt(world, { account: account.id, id })
  return secretShown(world, endpoint, secret)
}

function NewEndpoint({ typed, faults, key }: EndpointForm) {
  return (
    <ActionForm to={NEW_ENDPOINT_PATH} class="card stack" fields={{ key }}>
      <FormFault text={faults.form} />
      <AccountFields typed={typed} faults={faults} />
      <EndpointFields typed={typed} faults={faults} />
      <Submit cancel={ENDPOINTS_PATH}>Add endpoint</Submit>
    </ActionForm>
  )
}
