// The form for a new payment link, and what it makes.

import type { InCommit } from '../../db/queries.ts'
import { createLink } from '../../links/create-link.ts'
import type { Form } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import { auditInCommit, keyOfForm, operatorContext } from '../account-of.ts'
import { AccountFields, accountTyped, typedAccount } from '../parts/account-fields.tsx'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { FormFault, filledForm, madeOnce } from '../parts/fields.tsx'
import type { Acting, ObjectPage, Outcome } from '../parts/object-page.tsx'
import { isFaulty } from '../parts/typed.ts'
import { LINKS_PATH, linkPath } from '../paths.ts'
import { queryOf } from '../query.ts'
import { LinkFields, linkFaults, newLinkOf, typedLink } from './fields.tsx'
import { NEW_LINK_PATH } from './list.tsx'

export const NEW_LINK: ObjectPage<unknown, Form> = {
  place: 'links',
  path: 'links/new',
  async find(world, _params, request) {
    const team = queryOf(request).team ?? (await onlyTeam(world))
    const mode = world.gateways.ofMode('live').length > 0 ? 'live' : 'sandbox'
    return { team, mode }
  },
  title: () => 'New payment link',
  body({ found, formKey, refused }) {
    const filled = filledForm(refused, '', found)
    return (
      <section class="card narrow">
        <ActionForm to={NEW_LINK_PATH} class="stack" fields={{ key: formKey }}>
          <FormFault text={filled.faults.form} />
          <AccountFields {...filled} />
          <LinkFields {...filled} />
          <Submit cancel={LINKS_PATH}>Create payment link</Submit>
        </ActionForm>
      </section>
    )
  },
  submit: makeLink,
  faultsBy: (error) => madeOnce(error, 'A link'),
}

/** If there is one team, it needs no typing. */
async function onlyTeam({ db }: World): Promise<string> {
  const [one, other] = await db.prisma.team.findMany({ select: { name: true }, take: 2 })
  return one === undefined || other !== undefined ? '' : one.name
}

async function makeLink(acting: Acting<Form>): Promise<Outcome> {
  const { world, request, form } = acting
  const key = keyOfForm(form)
  const typed = typedLink(form)
  const { account, faults: unknown } = await accountTyped(world, typedAccount(form))
  const faults = { ...linkFaults(typed), ...unknown }
  if (account === undefined || isFaulty(faults)) return { faults }
  const record: InCommit<[string]> = (query, id) =>
    auditInCommit(acting, account, 'payment link made', id, { name: typed.name })(query)
  const context = { ...operatorContext(request, account, key), record }
  const { body } = await createLink(world, context, newLinkOf(typed))
  const { id } = JSON.parse(body) as { readonly id: string }
  return { done: 'The payment link is made.', path: linkPath({ accountId: account.id, id }) }
}
