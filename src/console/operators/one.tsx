// One operator: their facts, and the forms that change them.

import type { ListedOperator, PasswordLink } from '../../operators/manage-operators.ts'
import { ActionCard } from '../parts/action-form.tsx'
import { usePageOperator } from '../parts/page-operator.ts'
import { At, CopyableText, FactCard } from '../parts/shown.tsx'
import { AUDIT_PATH, ME_PATH, operatorPath } from '../paths.ts'
import { pathWith } from '../query.ts'
import { OperatorState, RoleField } from './list.tsx'

interface OneOperatorProps {
  readonly person: ListedOperator
}

export function OneOperator({ person }: OneOperatorProps) {
  const isOwn = person.id === usePageOperator().id
  return (
    <>
      <FactCard
        of={{
          Role: person.role,
          State: <OperatorState of={person} />,
          'Second factor': person.secondFactor,
          'Last signed in (UTC)': <At instant={person.lastSignedInAt} />,
          'Created (UTC)': <At instant={person.createdAt} />,
          'Password link works until (UTC)': <At instant={person.linkExpiresAt} />,
        }}
      >
        <p>
          <a href={pathWith(AUDIT_PATH, {}, { operator: person.name })}>What {person.name} did</a>
        </p>
      </FactCard>
      {isOwn ? (
        <p class="note">
          This is you. Another admin changes your role. <a href={ME_PATH}>Your account</a> has your
          password and second factor.
        </p>
      ) : (
        <Changes person={person} />
      )}
    </>
  )
}

function Changes({ person }: OneOperatorProps) {
  const { name, isDisabled } = person
  const path = operatorPath(person.id)
  return (
    <div class="columns">
      <ActionCard title="Role" to={`${path}/role`} button="Set role">
        <RoleField value={person.role} />
      </ActionCard>
      {isDisabled ? null : (
        <ActionCard
          title="Password"
          to={`${path}/link`}
          says={`A link at which ${name} chooses a password. The present one works until then.`}
          button="Make password link"
        />
      )}
      {person.secondFactor !== 'off' ? (
        <ActionCard
          title="Second factor"
          to={`${path}/reset-second-factor`}
          asks={
            `Reset the second factor of ${name}? Until they set up another one, their password ` +
            'alone lets them in.'
          }
          says="For a telephone that is lost, and after too many wrong codes."
          button="Reset second factor"
        />
      ) : null}
      {isDisabled ? (
        <ActionCard
          title="Access"
          to={`${path}/enable`}
          says={`${name} can’t sign in.`}
          button="Enable operator"
        />
      ) : (
        <ActionCard
          title="Access"
          to={`${path}/disable`}
          asks={`Disable ${name}? They are signed out at once, and can’t sign in until enabled.`}
          says={`${name} is signed out at once and can’t sign in.`}
          button="Disable operator"
          kind="danger"
        />
      )}
    </div>
  )
}

/** The link is shown only here. */
export function MadeLink({ link }: { link: PasswordLink }) {
  return (
    <section class="card stack">
      <p>
        Send this link to {link.name}. The first person to open it chooses the password. It works
        once, until <At instant={link.expiresAt} /> UTC, and can’t be shown again.
      </p>
      <CopyableText id="password-link" text={link.url} />
      <p>
        <a href={operatorPath(link.id)}>Back to {link.name}</a>
      </p>
    </section>
  )
}
