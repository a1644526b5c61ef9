// The form that adds an operator, and its answer.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { OperatorError } from '../../core/operator-error.ts'
import { roleNamed } from '../../core/role.ts'
import { addOperator, type PasswordLink } from '../../operators/manage-operators.ts'
import { LONGEST_NAME } from '../../operators/names.ts'
import { formOf, lineOf } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { type FormFaults, TextField } from '../parts/fields.tsx'
import { OPERATORS_PATH } from '../paths.ts'
import { operatorOf } from '../who.ts'
import { NEW_OPERATOR_PATH, RoleField } from './list.tsx'
import { LINK_TITLE, MadeLink } from './one.tsx'

export function newOperatorPages(own: FastifyInstance, world: World): void {
  own.get('/operators/new', async (_request, reply) =>
    answerForm(reply, { typed: { name: '', role: 'operate' }, faults: {} }),
  )
  own.post('/operators/new', (_request, reply) => answerNew(world, reply))
}

async function answerNew(world: World, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply
  const form = formOf(request)
  const typed = { name: lineOf(form.name, LONGEST_NAME), role: lineOf(form.role, LONGEST_NAME) }
  const role = roleNamed(typed.role)
  if (role === undefined) {
    return answerForm(reply, { typed, faults: { role: 'Choose a role.' } })
  }
  try {
    const link = await addOperator(world, operatorOf(request), { name: typed.name, role })
    return answerLink(reply, link)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return answerForm(reply, { typed, faults: { name: error.message } })
  }
}

function answerForm(reply: FastifyReply, shown: NewOperatorProps): FastifyReply {
  return answerConsole(
    reply,
    {
      title: 'New operator',
      place: 'operators',
      faults: shown.faults,
    },
    <NewOperatorForm {...shown} />,
  )
}

function answerLink(reply: FastifyReply, link: PasswordLink): FastifyReply {
  return answerConsole(reply, { title: LINK_TITLE, place: 'operators' }, <MadeLink link={link} />)
}

interface NewOperatorProps {
  readonly typed: { readonly name: string; readonly role: string }
  readonly faults: FormFaults
}

function NewOperatorForm({ typed, faults }: NewOperatorProps) {
  return (
    <section class="card narrow">
      <ActionForm to={NEW_OPERATOR_PATH} class="stack">
        <TextField
          name="name"
          label="Name"
          value={typed.name}
          fault={faults.name}
          hint="As the audit log will have it. It can’t be changed."
          longest={LONGEST_NAME}
          isRequired
        />
        <RoleField value={typed.role} fault={faults.role} />
        <Submit cancel={OPERATORS_PATH}>Add operator</Submit>
      </ActionForm>
    </section>
  )
}
