// An operator's own account: the forms for the password and the second factor.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { qrPath } from '../../links/qr-code.ts'
import { type ListedOperator, operatorById } from '../../operators/manage-operators.ts'
import {
  changeOwnPassword,
  type OwnOperator,
  removeSecondFactor,
  setUpSecondFactor,
} from '../../operators/own-account.ts'
import { LONGEST_PASSWORD } from '../../operators/password-hash.ts'
import { newTotpSecret, totpAddress } from '../../operators/second-factor.ts'
import { formOf } from '../../web/forms.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import { redirectDone, takeDone } from '../done.ts'
import { limitOwnTries } from '../limit-tries.ts'
import { ActionCard, ActionForm, Submit } from '../parts/action-form.tsx'
import { type FormFaults, TextField } from '../parts/fields.tsx'
import { usePageOperator } from '../parts/page-operator.ts'
import { QrCode } from '../parts/qr-code.tsx'
import { CopyableText, FactCard } from '../parts/shown.tsx'
import { isFaulty } from '../parts/typed.ts'
import { ME_PATH, OPERATORS_PATH } from '../paths.ts'
import { operatorOf } from '../who.ts'

const SECOND_FACTOR_PATH = `${ME_PATH}/second-factor`

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

/** The account of a session of the one password or of a link. */
function SharedAccount() {
  const { name } = usePageOperator()
  return (
    <section class="card stack narrow">
      <p>
        You signed in as {name} with the service’s one password or a one-time link. Such a session
        has all rights, and the name is what you typed.
      </p>
      <p>
        <a href={OPERATORS_PATH}>Add an operator</a> for each person who works here, so that each
        has a password and a role of their own.
      </p>
    </section>
  )
}

interface OwnAccountProps {
  readonly person: ListedOperator
  readonly faults: FormFaults
  /** The form that was refused. */
  readonly refused?: 'password' | 'second-factor' | undefined
}

function OwnAccount({ person, faults, refused }: OwnAccountProps) {
  return (
    <>
      <FactCard
        of={{
          Name: person.name,
          Role: person.role,
          'Second factor': person.secondFactor,
        }}
      />
      <div class="columns">
        <ActionCard title="Password" to={`${ME_PATH}/password`} button="Change password">
          <CurrentPassword fault={refused === 'password' ? faults.current : undefined} />
          <NewPassword fault={faults.password} />
          <p class="quiet">Your other sessions end.</p>
        </ActionCard>
        {person.secondFactor !== 'off' ? (
          <ActionCard
            title="Second factor"
            to={`${SECOND_FACTOR_PATH}/remove`}
            asks="Remove the second factor? Then your password alone lets you in."
            says="Each sign-in asks for a code of your authenticator app."
            button="Remove second factor"
          >
            <CodeField fault={faults.code} />
            <CurrentPassword fault={refused === 'second-factor' ? faults.current : undefined} />
          </ActionCard>
        ) : (
          <section class="card stack">
            <h2>Second factor</h2>
            <p class="quiet">
              With an authenticator app on your telephone, a stolen password is not enough to sign
              in.
            </p>
            <p>
              <a class="button" href={SECOND_FACTOR_PATH}>
                Set up second factor
              </a>
            </p>
          </section>
        )}
      </div>
    </>
  )
}

interface SecondFactorProps {
  /** Made with the form, and stored only when a code shows that the app has it. */
  readonly secret: string
  readonly faults: FormFaults
}

function SecondFactorForm({ secret, faults }: SecondFactorProps) {
  const address = totpAddress(usePageOperator().name, secret)
  return (
    <section class="card address" aria-label="Second factor">
      <QrCode path={qrPath(address)} label="QR code for an authenticator app" />
      <div class="stack">
        <p>Scan the code with an authenticator app, or enter this key there:</p>
        <CopyableText id="totp-secret" text={secret} />
        <ActionForm to={SECOND_FACTOR_PATH} class="stack" fields={{ secret }}>
          <CodeField fault={faults.code} />
          <CurrentPassword fault={faults.current} />
          <Submit cancel={ME_PATH}>Turn on</Submit>
        </ActionForm>
      </div>
    </section>
  )
}

function CodeField({ fault }: { fault: string | undefined }) {
  return (
    <TextField
      name="code"
      label="Code"
      hint="The six digits that the app shows now."
      fault={fault}
      inputMode="numeric"
      fills="one-time-code"
      longest={10}
      isRequired
    />
  )
}

function CurrentPassword({ fault }: { fault: string | undefined }) {
  return (
    <TextField
      name="current"
      label="Current password"
      type="password"
      fills="current-password"
      fault={fault}
      isRequired
    />
  )
}

export function NewPassword({ fault }: { fault: string | undefined }) {
  return (
    <TextField
      name="password"
      label="New password"
      type="password"
      fills="new-password"
      hint="12 characters at least. Four unrelated words make a good one."
      longest={LONGEST_PASSWORD}
      fault={fault}
      isRequired
    />
  )
}
