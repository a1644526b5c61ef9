// An operator's own account: the forms for the password and the second factor.

import { qrPath } from '../../links/qr-code.ts'
import type { ListedOperator } from '../../operators/manage-operators.ts'
import { LONGEST_PASSWORD } from '../../operators/password-hash.ts'
import { totpAddress } from '../../operators/second-factor.ts'
import { ActionCard, ActionForm, Submit } from '../parts/action-form.tsx'
import { type FormFaults, TextField } from '../parts/fields.tsx'
import { usePageOperator } from '../parts/page-operator.ts'
import { QrCode } from '../parts/qr-code.tsx'
import { CopyableText, FactCard } from '../parts/shown.tsx'
import { ME_PATH, OPERATORS_PATH } from '../paths.ts'

export const SECOND_FACTOR_PATH = `${ME_PATH}/second-factor`

/** The account of a session of the one password or of a link. */
export function SharedAccount() {
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

export function OwnAccount({ person, faults, refused }: OwnAccountProps) {
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

export function SecondFactorForm({ secret, faults }: SecondFactorProps) {
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
