// The form that adds an operator, and its answer.

import { OperatorError } from '../../core/operator-error.ts'
import { roleNamed } from '../../core/role.ts'
import { sentenceOf } from '../../core/sentence.ts'
import { addOperator } from '../../operators/manage-operators.ts'
import { LONGEST_NAME } from '../../operators/names.ts'
import { lineOf } from '../../web/forms.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { type FilledForm, fieldsOf, TextField } from '../parts/fields.tsx'
import type { ObjectPage } from '../parts/object-page.tsx'
import { wholeLine } from '../parts/typed.ts'
import { OPERATORS_PATH } from '../paths.ts'
import { operatorOf } from '../who.ts'
import { NEW_OPERATOR_PATH, RoleField } from './list.tsx'
import { linkShown } from './one.tsx'

export const NEW_OPERATOR: ObjectPage<unknown, undefined, FilledForm> = {
  place: 'operators',
  path: 'operators/new',
  find: async () => undefined,
  title: () => 'New operator',
  body: ({ refused = { typed: { role: 'operate' }, faults: {} } }) => (
    <NewOperatorForm {...refused} />
  ),
  async submit({ world, request, form }) {
    const typed = {
      name: wholeLine(form.name, LONGEST_NAME),
      role: lineOf(form.role, LONGEST_NAME),
    }
    const role = roleNamed(typed.role)
    if (role === undefined) return { refused: { typed, faults: { role: 'Choose a role.' } } }
    try {
      return linkShown(await addOperator(world, operatorOf(request), { name: typed.name, role }))
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      return { refused: { typed, faults: { name: sentenceOf(error.message) } } }
    }
  },
}

function NewOperatorForm(filled: FilledForm) {
  const field = fieldsOf(filled)
  return (
    <section class="card narrow">
      <ActionForm to={NEW_OPERATOR_PATH} class="stack">
        <TextField
          {...field('name')}
          label="Name"
          hint="As the audit log will have it. It can’t be changed."
          longest={LONGEST_NAME}
          isRequired
        />
        <RoleField {...field('role')} />
        <Submit cancel={OPERATORS_PATH}>Add operator</Submit>
      </ActionForm>
    </section>
  )
}
