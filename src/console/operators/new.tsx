// The form that adds an operator, and its answer.

import { roleNamed } from '../../core/role.ts'
import { addOperator } from '../../operators/manage-operators.ts'
import { LONGEST_NAME } from '../../operators/names.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { fieldsOf, filledForm, nameFaults, TextField } from '../parts/fields.tsx'
import type { ObjectPage } from '../parts/object-page.tsx'
import { wholeLine } from '../parts/typed.ts'
import { OPERATORS_PATH } from '../paths.ts'
import { operatorOf } from '../who.ts'
import { NEW_OPERATOR_PATH, RoleField } from './list.tsx'
import { linkShown } from './one.tsx'

export const NEW_OPERATOR: ObjectPage<unknown, undefined> = {
  place: 'operators',
  path: 'operators/new',
  find: async () => undefined,
  title: () => 'New operator',
  body({ refused }) {
    const field = fieldsOf(filledForm(refused, '', { role: 'operate' }))
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
  },
  async submit({ world, request, form }) {
    const name = wholeLine(form.name, LONGEST_NAME)
    const role = roleNamed(form.role)
    if (role === undefined) return { faults: { role: 'Choose a role.' } }
    return linkShown(await addOperator(world, operatorOf(request), { name, role }))
  },
  faultsBy: nameFaults,
}
