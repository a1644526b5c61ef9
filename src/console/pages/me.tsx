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
import { HIDDEN } from '../../web/hidden.ts'
import { answerHtml } from '../../web/html.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { redirectDone, takeDone } from '../done.ts'
import { ConsolePage } from '../layout.tsx'
import { limitOwnTries } from '../limit-tries.ts'
import {
  ME_PATH,
  OwnAccount,
  SECOND_FACTOR_PATH,
  SecondFactorForm,
  SharedAccount,
} from '../operators/me.tsx'
import type { FormFaults } from '../parts/fields.tsx'
import { operatorOf } from '../who.ts'

const PATH = ME_PATH.slice('/admin'.length)
const FACTOR = SECOND_FACTOR_PATH.slice('/admin'.length)

export function mePages(own: FastifyInstance, world: World): void {
  own.get(PATH, HIDDEN, (request, reply) => answerMe(world, request, reply))
  own.post(`${PATH}/password`, HIDDEN, async (request, reply) => {
    const operator = await trying(world, request, reply)
    const { current = '', password = '' } = formOf(request)
    const faults = await changeOwnPassword(world, operator, { current, password })
    if (isFaulty(faults)) return answerMe(world, request, reply, { refused: 'password', faults })
    const words = 'The password is changed, and your other sessions have ended.'
    return redirectDone(world, request, reply, ME_PATH, words)
  })
  own.get(FACTOR, HIDDEN, async (request, reply) => {
    ownOperatorOf(request)
    return answerFactor(request, reply, newTotpSecret())
  })
  own.post(FACTOR, HIDDEN, async (request, reply) => {
    const operator = await trying(world, request, reply)
    const { current = '', secret = '', code = '' } = formOf(request)
    const faults = await setUpSecondFactor(world, operator, { current, secret, code })
    if (isFaulty(faults)) return answerFactor(request, reply, secret, faults)
    const words = 'The second factor is on. Your next sign-in asks for a code.'
    return redirectDone(world, request, reply, ME_PATH, words)
  })
  own.post(`${FACTOR}/remove`, HIDDEN, async (request, reply) => {
    const operator = await trying(world, request, reply)
    const { current = '', code = '' } = formOf(request)
    const faults = await removeSecondFactor(world, operator, { current, code })
    if (isFaulty(faults)) {
      return answerMe(world, request, reply, { refused: 'second-factor', faults })
    }
    return redirectDone(world, request, reply, ME_PATH, 'The second factor is off.')
  })
}

interface RefusedOwn {
  readonly refused: 'password' | 'second-factor'
  readonly faults: FormFaults
}

async function answerMe(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  { refused, faults = {} }: Partial<RefusedOwn> = {},
): Promise<FastifyReply> {
  const operator = operatorOf(request)
  const { id } = operator
  const person = id === undefined ? undefined : await operatorById(world, id)
  return answerHtml(
    reply,
    <ConsolePage title="Your account" operator={operator} done={takeDone(world, request, reply)}>
      {person === undefined ? (
        <SharedAccount operator={operator} />
      ) : (
        <OwnAccount {...{ person, operator, faults, refused }} />
      )}
    </ConsolePage>,
    refused === undefined ? 200 : 422,
  )
}

function answerFactor(
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
  faults: FormFaults = {},
): FastifyReply {
  const operator = operatorOf(request)
  return answerHtml(
    reply,
    <ConsolePage title="Set up second factor" operator={operator}>
      <SecondFactorForm {...{ operator, secret, faults }} />
    </ConsolePage>,
    isFaulty(faults) ? 422 : 200,
  )
}

function isFaulty(faults: FormFaults): boolean {
  return Object.keys(faults).length > 0
}

function ownOperatorOf(request: FastifyRequest): OwnOperator {
  const { id, ...operator } = operatorOf(request)
  if (id !== undefined) return { ...operator, id }
  throw new PageRefusal(409, 'No own account', 'This session has no password of its own.')
}

async function trying(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<OwnOperator> {
  const operator = ownOperatorOf(request)
  await limitOwnTries(world, reply, operator.id)
  return operator
}
