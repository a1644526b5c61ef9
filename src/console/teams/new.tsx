// The form that creates a team, and its answer.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { createTeam, LONGEST_TEAM_NAME } from '../../accounts/create-team.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { sentenceOf } from '../../core/sentence.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { formOf, lineOf } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import { redirectDone } from '../done.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { type FormFaults, TextField } from '../parts/fields.tsx'
import { TEAMS_PATH, teamPath } from '../paths.ts'
import { operatorOf } from '../who.ts'
import { NEW_TEAM_PATH } from './list.tsx'

export function newTeamPages(own: FastifyInstance, world: World): void {
  own.get('/teams/new', async (_request, reply) => answerForm(reply))
  own.post('/teams/new', (_request, reply) => answerNewTeam(world, reply))
}

async function answerNewTeam(world: World, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply
  const name = lineOf(formOf(request).name, LONGEST_TEAM_NAME)
  if (name === '') return answerForm(reply, name, { name: 'Enter a name.' })
  try {
    const id = await world.db.prisma.$transaction(async (tx) => {
      const made = await createTeam(world, name, tx)
      const entry = { action: 'team made', subject: made.id, detail: { name } }
      await writeAuditEntry(world, operatorOf(request), entry, tx)
      return made.id
    })
    const words = 'The team is made. It needs a key: make one below.'
    return redirectDone(world, reply, teamPath(id), words)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return answerForm(reply, name, { name: sentenceOf(error.message) })
  }
}

function answerForm(reply: FastifyReply, name = '', faults: FormFaults = {}): FastifyReply {
  return answerConsole(
    reply,
    { title: 'New team', place: 'teams', faults },
    <section class="card narrow">
      <ActionForm to={NEW_TEAM_PATH} class="stack">
        <TextField
          name="name"
          label="Name"
          value={name}
          fault={faults.name}
          longest={LONGEST_TEAM_NAME}
          isRequired
        />
        <Submit cancel={TEAMS_PATH}>Create team</Submit>
      </ActionForm>
    </section>,
  )
}
