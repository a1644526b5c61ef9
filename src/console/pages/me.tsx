// The page of an operator's own account, with the password and the second factor.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { operatorById } from '../../operators/manage-operators.ts'
import {
  changeOwnPassword,
  type OwnOperator,
  removeSecondFactor,
  setUpSecondFactor,
} from '../../operators/own-account.ts'
import { newTotpSecret } from '../../operators/second-factor.ts'
import { formOf } from '../../web/forms.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import { redirectDone, takeDone } from '../done.ts'
import { limitOwnTries } from '../limit-tries.ts'
import {
  OwnAccount,
  SECOND_FACTOR_PATH,
  SecondFactorForm,
  SharedAccount,
} from '../operators/me.tsx'
import type { FormFaults } from '../parts/fields.tsx'
import { isFaulty } from '../parts/typed.ts'
import { ME_PATH } from '../paths.ts'
import { operatorOf } from '../who.ts'

const PATH = ME_PATH.slice('/admin'.length)
const FACTOR = SECOND_FACTOR_PATH.slice('/admin'.length)

export function mePages(own: FastifyInstance, world: World): void {
  own.get(PATH, (_request, reply) => answerMe(world, reply))
  own.post(`${PATH}/password`, async (request, reply) => {
    const operator = await trying(world, reply)
    const { current = '', password = '' } = formOf(request)
    const faults = await changeOwnPassword(world, operator, { current, password })
    if (isFaulty(faults)) return answerMe(world, reply, { refused: 'password', faults })
    const words = 'The password is changed, and your other sessions have ended.'
    return redirectDone(world, reply, ME_PATH, words)
  })
  own.get(FACTOR, async (request, reply) => {
    ownOperatorOf(request)
    return answerFactor(reply, newTotpSecret())
  })
  own.post(FACTOR, async (request, reply) => {
    const operator = await trying(world, reply)
    const { current = '', secret = '', code = '' } = formOf(request)
    const faults = await setUpSecondFactor(world, operator, { current, secret, code })
    if (isFaulty(faults)) return answerFactor(reply, secret, faults)
    const words = 'The second factor is on. Your next sign-in asks for a code.'
    return redirectDone(world, reply, ME_PATH, words)
  })
  own.post(`${FACTOR}/remove`, async (request, reply) => {
    const operator = await trying(world, reply)
    const { current = '', code = '' } = formOf(request)
    const faults = await removeSecondFactor(world, operator, { current, code })
    if (isFaulty(faults)) {
      return answerMe(world, reply, { refused: 'second-factor', faults })
    }
    return redirectDone(world, reply, ME_PATH, 'The second factor is off.')
  })
}

interface RefusedOwn {
  readonly refused: 'password' | 'second-factor'
  readonly faults: FormFaults
}

async function answerMe(
  world: World,
  reply: FastifyReply,
  { refused, faults = {} }: Partial<RefusedOwn> = {},
): Promise<FastifyReply> {
  const operator = operatorOf(reply.request)
  const { id } = operator
  const person = id === undefined ? undefined : await operatorById(world, id)
  return answerConsole(
    reply,
    {
      title: 'Your account',
      done: takeDone(world, reply),
      faults,
    },
    person === undefined ? <SharedAccount /> : <OwnAccount {...{ person, faults, refused }} />,
  )
}

function answerFactor(reply: FastifyReply, secret: string, faults: FormFaults = {}): FastifyReply {
  return answerConsole(
    reply,
    { title: 'Set up second factor', faults },
    <SecondFactorForm {...{ secret, faults }} />,
  )
}

function ownOperatorOf(request: FastifyRequest): OwnOperator {
  const { id, ...operator } = operatorOf(request)
  if (id !== undefined) return { ...operator, id }
  throw new PageRefusal(409, 'No own account', 'This session has no password of its own.')
}

async function trying(world: World, reply: FastifyReply): Promise<OwnOperator> {
  const operator = ownOperatorOf(reply.request)
  await limitOwnTries(world, reply, operator.id)
  return operator
}
