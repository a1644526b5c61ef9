// The pages of operators: the list, the form for a new one, and one operator with the actions of an
// admin. Admins do not act on themselves, so the last one cannot lock everybody out by mistake.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OperatorError } from '../../accounts/operator-error.ts'
import { isId } from '../../core/id.ts'
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
import { answerHtml } from '../../web/html.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { redirectDone, takeDone } from '../done.ts'
import { ConsolePage } from '../layout.tsx'
import {
  NewOperatorForm,
  type NewOperatorProps,
  OPERATOR_LIST,
  OPERATORS_PATH,
} from '../operators/list.tsx'
import { MadeLink, OneOperator } from '../operators/one.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { operatorOf, type SignedInOperator } from '../who.ts'

const HIDDEN = { schema: { hide: true } }

interface OfPerson {
  readonly Params: { readonly id: string }
}

export function operatorPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, OPERATOR_LIST)
  own.get('/operators/new', HIDDEN, async (request, reply) =>
    answerForm(request, reply, { typed: { name: '', role: 'operate' }, faults: {} }),
  )
  own.post('/operators/new', HIDDEN, (request, reply) => answerNew(world, request, reply))
  own.get<OfPerson>('/operators/:id', HIDDEN, async (request, reply) => {
    const person = await personAt(world, request.params.id)
    const operator = operatorOf(request)
    const done = takeDone(world, request, reply)
    return answerHtml(
      reply,
      <ConsolePage title={person.name} place="operators" operator={operator} done={done}>
        <OneOperator person={person} operator={operator} />
      </ConsolePage>,
    )
  })
  own.post<OfPerson>('/operators/:id/link', HIDDEN, async (request, reply) => {
    const person = await otherAt(world, request)
    return answerLink(request, reply, await makePasswordLink(world, operatorOf(request), person))
  })
  for (const [action, act] of Object.entries(CHANGES)) {
    own.post<OfPerson>(`/operators/:id/${action}`, HIDDEN, async (request, reply) => {
      const person = await otherAt(world, request)
      const words = await act({ world, by: operatorOf(request), person }, request)
      return redirectDone(world, request, reply, `${OPERATORS_PATH}/${person.id}`, words)
    })
  }
}

interface Acting {
  readonly world: World
  readonly by: SignedInOperator
  readonly person: ListedOperator
}

type Change = (acting: Acting, request: FastifyRequest) => Promise<string>

const CHANGES: Readonly<Record<string, Change>> = {
  async role({ world, by, person }, request) {
    const role = roleNamed(formOf(request).role)
    if (role === undefined) throw new PageRefusal(400, 'Choose a role', 'Open the page again.')
    await setOperatorRole(world, by, person, role)
    return `The role is ${role}.`
  },
  async 'reset-second-factor'({ world, by, person }) {
    await resetSecondFactor(world, by, person)
    return 'The second factor is off.'
  },
  async disable({ world, by, person }) {
    await setOperatorEnabled(world, by, person, false)
    return `${person.name} is disabled and signed out.`
  },
  async enable({ world, by, person }) {
    await setOperatorEnabled(world, by, person, true)
    return `${person.name} can sign in again.`
  },
}

async function answerNew(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = formOf(request)
  const typed = { name: lineOf(form.name, LONGEST_NAME), role: lineOf(form.role, LONGEST_NAME) }
  const role = roleNamed(typed.role)
  if (role === undefined) {
    return answerForm(request, reply, { typed, faults: { role: 'Choose a role.' } })
  }
  try {
    const link = await addOperator(world, operatorOf(request), { name: typed.name, role })
    return answerLink(request, reply, link)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return answerForm(request, reply, { typed, faults: { name: error.message } })
  }
}

function answerForm(
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Omit<NewOperatorProps, 'operator'>,
): FastifyReply {
  const operator = operatorOf(request)
  return answerHtml(
    reply,
    <ConsolePage title="New operator" place="operators" operator={operator}>
      <NewOperatorForm {...shown} operator={operator} />
    </ConsolePage>,
    Object.keys(shown.faults).length > 0 ? 422 : 200,
  )
}

function answerLink(
  request: FastifyRequest,
  reply: FastifyReply,
  link: PasswordLink,
): FastifyReply {
  return answerHtml(
    reply,
    <ConsolePage title="Password link" place="operators" operator={operatorOf(request)}>
      <MadeLink link={link} />
    </ConsolePage>,
  )
}

async function personAt(world: World, id: string): Promise<ListedOperator> {
  const found = isId(id) ? await operatorById(world, id.toLowerCase()) : undefined
  if (found === undefined) throw new PageRefusal(404, 'Not found', 'There is no such operator.')
  return found
}

async function otherAt(world: World, request: FastifyRequest<OfPerson>): Promise<ListedOperator> {
  const person = await personAt(world, request.params.id)
  if (person.id !== operatorOf(request).id) return person
  throw new PageRefusal(409, 'This is you', 'Another admin has to do this. Nothing was done.')
}
