// The form that creates a team, and its answer.

import { LONGEST_TEAM_NAME } from '../../accounts/create-team.ts'
import { addTeam } from '../../operators/manage-teams.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { fieldsOf, filledForm, nameFaults, TextField } from '../parts/fields.tsx'
import type { Acting, ObjectPage, Outcome } from '../parts/object-page.tsx'
import { lengthFault, wholeLine } from '../parts/typed.ts'
import { TEAMS_PATH, teamPath } from '../paths.ts'
import { operatorOf } from '../who.ts'
import { NEW_TEAM_PATH } from './list.tsx'

export const NEW_TEAM: ObjectPage<unknown, undefined> = {
  place: 'teams',
  path: 'teams/new',
  find: async () => undefined,
  title: () => 'New team',
  body: ({ refused }) => (
    <section class="card narrow">
      <ActionForm to={NEW_TEAM_PATH} class="stack">
        <TextField
          {...fieldsOf(filledForm(refused, ''))('name')}
          label="Name"
          longest={LONGEST_TEAM_NAME}
          isRequired
        />
        <Submit cancel={TEAMS_PATH}>Create team</Submit>
      </ActionForm>
    </section>
  ),
  submit: makeTeam,
  faultsBy: nameFaults,
}

async function makeTeam({ world, request, form }: Acting<undefined>): Promise<Outcome> {
  const name = wholeLine(form.name, LONGEST_TEAM_NAME)
  const fault = name === '' ? 'Enter a name.' : lengthFault(name, LONGEST_TEAM_NAME)
  if (fault !== undefined) return { faults: { name: fault } }
  const { id } = await addTeam(world, operatorOf(request), name)
  return { done: 'The team is made. It needs a key: make one below.', path: teamPath(id) }
}
