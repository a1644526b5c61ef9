// The form for a new payment link, and what it makes.

import { createLink } from '../../links/create-link.ts'
import type { Form } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import { auditAction, keyOfForm, operatorContext } from '../account-of.ts'
import { AccountFields, accountTyped, typedAccount } from '../parts/account-fields.tsx'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { FormFault, type FormFaults } from '../parts/fields.tsx'
import type { Acting, ObjectPage, Outcome } from '../parts/object-page.tsx'
import { isFaulty } from '../parts/typed.ts'
import { LINKS_PATH, linkPath } from '../paths.ts'
import { queryOf } from '../query.ts'
import {
  EMPTY_LINK,
  LinkFields,
  linkFaults,
  newLinkOf,
  type TypedLink,
  typedLink,
} from './fields.tsx'
import { NEW_LINK_PATH } from './list.tsx'

interface LinkForm {
  readonly account: Form
  readonly typed: TypedLink
  readonly faults: FormFaults
  /** The key of the refused form. A new one after a conflict, so that it can be sent again. */
  readonly key?: string
}

export const NEW_LINK: ObjectPage<unknown, LinkForm, LinkForm> = {
  place: 'links',
  path: 'links/new',
  async find(world, _params, request) {
    const team = queryOf(request).team ?? (await onlyTeam(world))
    const mode = world.gateways.ofMode('live').length > 0 ? 'live' : 'sandbox'
    return { account: { team, mode }, typed: EMPTY_LINK, faults: {} }
  },
  title: () => 'New payment link',
  body: ({ world, found, refused = found }) => (
    <NewLinkForm {...refused} formKey={refused.key ?? world.newId()} />
  ),
  submit: makeLink,
  refusedBy: ({ code }, { form }) =>
    code === 'idempotency_conflict'
      ? { account: typedAccount(form), typed: typedLink(form), faults: { form: CONFLICT } }
      : undefined,
}

const CONFLICT = 'A link was made with this form before. Send it again to make another one.'

/** If there is one team, it needs no typing. */
async function onlyTeam({ db }: World): Promise<string> {
  const [one, other] = await db.prisma.team.findMany({ select: { name: true }, take: 2 })
  return one === undefined || other !== undefined ? '' : one.name
}

async function makeLink(acting: Acting<LinkForm>): Promise<Outcome<LinkForm>> {
  const { world, request, form } = acting
  const key = keyOfForm(form)
  const [of, typed] = [typedAccount(form), typedLink(form)]
  const { account, faults: unknown } = await accountTyped(world, of)
  const faults = { ...linkFaults(typed), ...unknown }
  if (account === undefined || isFaulty(faults)) {
    return { refused: { account: of, typed, faults, key } }
  }
  const context = operatorContext(request, account, key)
  const { body, isReplayed } = await createLink(world, context, newLinkOf(typed))
  const { id } = JSON.parse(body) as { readonly id: string }
  if (!isReplayed) {
    await auditAction(acting, account, 'payment link made', id, { name: typed.name })
  }
  return { done: 'The payment link is made.', path: linkPath({ accountId: account.id, id }) }
}

/** The key is made with the form, so that sending it twice makes one link. */
function NewLinkForm(props: LinkForm & { readonly formKey: string }) {
  const { account, typed, faults, formKey } = props
  return (
    <section class="card narrow">
      <ActionForm to={NEW_LINK_PATH} class="stack" fields={{ key: formKey }}>
        <FormFault text={faults.form} />
        <AccountFields typed={account} faults={faults} />
        <LinkFields typed={typed} faults={faults} />
        <Submit cancel={LINKS_PATH}>Create payment link</Submit>
      </ActionForm>
    </section>
  )
}
