// The form that adds a webhook endpoint, and its answer.

import { isId } from '../../core/id.ts'
import { cleanText } from '../../core/redact.ts'
import type { InCommit } from '../../db/queries.ts'
import type { Form } from '../../web/forms.ts'
import { createWebhook } from '../../webhooks/create-webhook.ts'
import type { World } from '../../world.ts'
import { auditInCommit, keyOfForm, operatorContext } from '../account-of.ts'
import { AccountFields, accountTyped, typedAccount } from '../parts/account-fields.tsx'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { FormFault, filledForm } from '../parts/fields.tsx'
import type { Acting, ObjectPage, Outcome } from '../parts/object-page.tsx'
import { isFaulty } from '../parts/typed.ts'
import { ENDPOINTS_PATH, endpointPath } from '../paths.ts'
import { queryOf } from '../query.ts'
import { secretShown } from './actions.tsx'
import { EndpointFields, readEndpoint, refusalFaults } from './endpoint-forms.tsx'
import { NEW_ENDPOINT_PATH } from './list.tsx'
import { endpointAt } from './one.tsx'

export const NEW_ENDPOINT: ObjectPage<unknown, Form> = {
  place: 'endpoints',
  path: 'endpoints/new',
  async find(world, _params, request) {
    const { team } = queryOf(request)
    return team === undefined ? {} : { team: await teamNameOf(world, team) }
  },
  title: () => 'New webhook endpoint',
  body({ found, formKey, refused }) {
    const filled = filledForm(refused, '', found)
    return (
      <ActionForm to={NEW_ENDPOINT_PATH} class="card stack" fields={{ key: formKey }}>
        <FormFault text={filled.faults.form} />
        <AccountFields {...filled} />
        <EndpointFields {...filled} />
        <Submit cancel={ENDPOINTS_PATH}>Add endpoint</Submit>
      </ActionForm>
    )
  },
  submit: addEndpoint,
  faultsBy: refusalFaults,
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
async function addEndpoint(acting: Acting<Form>): Promise<Outcome> {
  const { world, request, form } = acting
  const key = keyOfForm(form)
  const { account, faults: unknown } = await accountTyped(world, typedAccount(form))
  const { faults: wrong, input } = readEndpoint(form)
  const faults = { ...unknown, ...wrong }
  if (account === undefined || isFaulty(faults)) return { faults }
  const detail = { address: cleanText(input.targetUrl), events: input.events.join(' ') }
  const record: InCommit<[string]> = (query, id) =>
    auditInCommit(acting, account, 'endpoint added', id, detail)(query)
  const context = { ...operatorContext(request, account, key), record }
  const done = await createWebhook(world, context, input)
  const { id, secret } = JSON.parse(done.body) as { readonly id: string; readonly secret: string }
  if (done.isReplayed) {
    const words = 'This endpoint was added before, and its secret was shown then.'
    return { done: words, path: endpointPath({ accountId: account.id, id }) }
  }
  const { endpoint } = await endpointAt(world, { account: account.id, id })
  return secretShown(world, endpoint, secret)
}
