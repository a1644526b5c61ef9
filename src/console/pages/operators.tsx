// The pages of operators: the list, the form for a new one, and one operator with the actions of an
// admin. Admins do not act on themselves, so the last one cannot lock everybody out by mistake.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { isId } from '../../core/id.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { roleNamed } from '../../core/role.ts'
import {
  addOperator,
  type ListedOperator,
  makePasswordLink,
  operatorById,
  type PasswordLink,
  resetSecondFactor,
  setOperatorEnabled,
  setOperatorRole,
} from '../../operators/manage-operators.ts'
import { LONGEST_NAME } from '../../operators/names.ts'
import { formOf, lineOf } from '../../web/forms.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import { NewOperatorForm, type NewOperatorProps, OPERATOR_LIST } from '../operators/list.tsx'
import { MadeLink, OneOperator } from '../operators/one.tsx'
import { type Acting, addDetailPage, type DetailPage } from '../parts/detail-page.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { operatorOf, type SignedInOperator } from '../who.ts'

export function operatorPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, OPERATOR_LIST)
  own.get('/operators/new', async (_request, reply) =>
    answerForm(reply, { typed: { name: '', role: 'operate' }, faults: {} }),
  )
  own.post('/operators/new', (_request, reply) => answerNew(world, reply))
  addDetailPage(own, world, ONE_OPERATOR)
}

const ONE_OPERATOR: DetailPage<{ readonly id: string }, ListedOperator> = {
  place: 'operators',
  path: 'operators/:id',
  async find(world, { id }) {
    const found = isId(id) ? await operatorById(world, id.toLowerCase()) : undefined
    if (found === undefined) throw new PageRefusal(404, 'Not found', 'There is no such operator.')
    return found
  },
  title: ({ name }) => name,
  body: ({ found: person }) => <OneOperator person={person} />,
  actions: {
    async link(acting) {
      const link = await makePasswordLink(acting.world, otherThan(acting), acting.found)
      return { title: LINK_TITLE, once: <MadeLink link={link} /> }
    },
    async role(acting) {
      const role = roleNamed(acting.form.role)
      if (role === undefined) throw new PageRefusal(400, 'Choose a role', 'Open the page again.')
      await setOperatorRole(acting.world, otherThan(acting), acting.found, role)
      return `The role is ${role}.`
    },
    async 'reset-second-factor'(acting) {
      await resetSecondFactor(acting.world, otherThan(acting), acting.found)
      return 'The second factor is off.'
    },
    async disable(acting) {
      await setOperatorEnabled(acting.world, otherThan(acting), acting.found, false)
      return `${acting.found.name} is disabled and signed out.`
    },
    async enable(acting) {
      await setOperatorEnabled(acting.world, otherThan(acting), acting.found, true)
      return `${acting.found.name} can sign in again.`
    },
  },
}

/** The operator who acts, if that is another one than the one of the page. */
function otherThan({ request, found }: Acting<ListedOperator>): SignedInOperator {
  const operator = operatorOf(request)
  if (operator.id !== found.id) return operator
  throw new PageRefusal(409, 'This is you', 'Another admin has to do this. Nothing was done.')
}

const LINK_TITLE = 'Password link'

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

function answerForm(reply: FastifyReply, shown: Omit<NewOperatorProps, 'operator'>): FastifyReply {
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
