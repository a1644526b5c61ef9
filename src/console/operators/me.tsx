// An operator's own account: the forms for the password and the second factor.

import type { FastifyRequest } from 'fastify'
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
import type { Form } from '../../web/forms.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import { limitOwnTries } from '../limit-tries.ts'
import { ActionCard, ActionForm, Submit } from '../parts/action-form.tsx'
import { type FilledForm, filledForm, type RefusedForm, TextField } from '../parts/fields.tsx'
import type { Acting, ObjectPage } from '../parts/object-page.tsx'
import { usePageOperator } from '../parts/page-operator.ts'
import { CopyableText, FactCard, QrCode } from '../parts/shown.tsx'
import { isFaulty } from '../parts/typed.ts'
import { ME_PATH, OPERATORS_PATH } from '../paths.ts'
import { operatorOf } from '../who.ts'

const SECOND_FACTOR_PATH = `${ME_PATH}/second-factor`

/** Undefined for a session without an operator of its own. */
type Own = ListedOperator | undefined

export const ME: ObjectPage<unknown, Own> = {
  path: 'me',
  async find(world, _params, request) {
    const { id } = operatorOf(request)
    return id === undefined ? undefined : operatorById(world, id)
  },
  title: () => 'Your account',
  body: ({ found: person, refused }) =>
    person === undefined ? <SharedAccount /> : <OwnAccount person={person} refused={refused} />,
  actions: {
    async password(acting) {
      const { current = '', password = '' } = acting.form
      const operator = await countTry(acting)
      const faults = await changeOwnPassword(acting.world, operator, { current, password })
      if (isFaulty(faults)) return { faults }
      return 'The password is changed, and your other sessions have ended.'
    },
    async 'second-factor/remove'(acting) {
      const { current = '', code = '' } = acting.form
      const operator = await countTry(acting)
      const faults = await removeSecondFactor(acting.world, operator, { current, code })
      return isFaulty(faults) ? { faults } : 'The second factor is off.'
    },
  },
}

/** A secret is made with the form, and stored only when a code shows that the app has it. */
export const SECOND_FACTOR: ObjectPage<unknown, Form> = {
  path: 'me/second-factor',
  async find(_world, _params, request) {
    ownOperatorOf(request)
    return { secret: newTotpSecret() }
  },
  title: () => 'Set up second factor',
  body: ({ found, refused }) => <SecondFactorForm {...filledForm(refused, '', found)} />,
  async submit(acting) {
    const { current = '', secret = '', code = '' } = acting.form
    const operator = await countTry(acting)
    const faults = await setUpSecondFactor(acting.world, operator, { current, secret, code })
    if (isFaulty(faults)) return { faults }
    return { done: 'The second factor is on. Your next sign-in asks for a code.', path: ME_PATH }
  },
}

function ownOperatorOf(request: FastifyRequest): OwnOperator {
  const { id, ...operator } = operatorOf(request)
  if (id !== undefined) return { ...operator, id }
  throw new PageRefusal(409, 'No own account', 'This session has no password of its own.')
}

/** Counts the try before its password is checked. */
async function countTry({ world, request, reply }: Acting<unknown>): Promise<OwnOperator> {
  const operator = ownOperatorOf(request)
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
  readonly refused: RefusedForm | undefined
}

function OwnAccount({ person, refused }: OwnAccountProps) {
  const { faults: ofPassword } = filledForm(refused, 'password')
  const { faults: ofFactor } = filledForm(refused, 'second-factor/remove')
  return (
    <>
      <FactCard
        of={{ Name: person.name, Role: person.role, 'Second factor': person.secondFactor }}
      />
      <div class="columns">
        <ActionCard title="Password" to={`${ME_PATH}/password`} button="Change password">
          <CurrentPassword fault={ofPassword.current} />
          <NewPassword fault={ofPassword.password} />
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
            <CodeField fault={ofFactor.code} />
            <CurrentPassword fault={ofFactor.current} />
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

function SecondFactorForm({ typed: { secret = '' }, faults }: FilledForm) {
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
