// The form for a new payment link, and what it makes.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { MODES } from '../../accounts/key.ts'
import { Refusal } from '../../core/errors.ts'
import { createLink } from '../../links/create-link.ts'
import { formOf, lineOf } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import { auditAction, keyOfForm, operatorContext } from '../account-of.ts'
import { answerConsole } from '../answer-console.tsx'
import { redirectDone } from '../done.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { ChoiceField, FormFault, type FormFaults, fieldsOf, TextField } from '../parts/fields.tsx'
import { accountTyped, isFaulty } from '../parts/typed.ts'
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

const LONGEST_TEAM = 200

export function newLinkPages(own: FastifyInstance, world: World): void {
  own.get('/links/new', async (request, reply) => {
    const { team } = queryOf(request)
    const mode = world.gateways.ofMode('live').length > 0 ? 'live' : 'sandbox'
    const shown = { team: team ?? (await onlyTeam(world)), mode, typed: EMPTY_LINK, faults: {} }
    return answerForm(world, reply, shown)
  })
  own.post('/links/new', (_request, reply) => answerNewLink(world, reply))
}

/** If there is one team, it needs no typing. */
async function onlyTeam({ db }: World): Promise<string> {
  const [one, other] = await db.prisma.team.findMany({ select: { name: true }, take: 2 })
  return one === undefined || other !== undefined ? '' : one.name
}

function answerForm(
  world: World,
  reply: FastifyReply,
  shown: Omit<NewLinkProps, 'formKey'>,
  formKey = world.newId(),
): FastifyReply {
  return answerConsole(
    reply,
    {
      title: 'New payment link',
      place: 'links',
      faults: shown.faults,
    },
    <NewLinkForm {...shown} formKey={formKey} />,
  )
}

async function answerNewLink(world: World, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply
  const form = formOf(request)
  const key = keyOfForm(form)
  const [team, mode] = [lineOf(form.team, LONGEST_TEAM), lineOf(form.mode, LONGEST_TEAM)]
  const typed = typedLink(form)
  const { account, faults: unknown } = await accountTyped(world, team, mode)
  const faults = { ...linkFaults(typed), ...unknown }
  if (account === undefined || isFaulty(faults)) {
    return answerForm(world, reply, { team, mode, typed, faults }, key)
  }
  const context = operatorContext(request, account, key)
  try {
    const { body, isReplayed } = await createLink(world, context, newLinkOf(typed))
    const { id } = JSON.parse(body) as { readonly id: string }
    if (!isReplayed) {
      const detail = { name: typed.name }
      await auditAction({ world, request }, account, 'payment link made', id, detail)
    }
    const path = linkPath({ accountId: account.id, id })
    return redirectDone(world, reply, path, 'The payment link is made.')
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'idempotency_conflict') throw error
    const form = 'A link was made with this form before. Send it again to make another one.'
    return answerForm(world, reply, { team, mode, typed, faults: { form } })
  }
}

interface NewLinkProps {
  readonly team: string
  readonly mode: string
  readonly typed: TypedLink
  readonly faults: FormFaults
  /** Made with the form, so that sending it twice makes one link. */
  readonly formKey: string
}

function NewLinkForm(props: NewLinkProps) {
  const { team, mode, typed, faults, formKey } = props
  const field = fieldsOf({ team, mode }, faults)
  return (
    <section class="card narrow">
      <ActionForm to={NEW_LINK_PATH} class="stack" fields={{ key: formKey }}>
        <FormFault text={faults.form} />
        <TextField {...field('team')} label="Team" placeholder="Its name or id" isRequired />
        <ChoiceField
          {...field('mode')}
          label="Mode"
          choices={MODES}
          hint="In sandbox mode no money moves."
        />
        <LinkFields typed={typed} faults={faults} />
        <Submit cancel={LINKS_PATH}>Create payment link</Submit>
      </ActionForm>
    </section>
  )
}
