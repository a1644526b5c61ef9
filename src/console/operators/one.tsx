// One operator: their facts, and the actions of an admin. Admins do not act on themselves, so the
// last one cannot lock everybody out by mistake.

import { isId } from '../../core/id.ts'
import { roleNamed } from '../../core/role.ts'
import {
  type ListedOperator,
  makePasswordLink,
  operatorById,
  type PasswordLink,
  resetSecondFactor,
  setOperatorEnabled,
  setOperatorRole,
} from '../../operators/manage-operators.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import { ActionCard } from '../parts/action-form.tsx'
import type { Acting, ObjectPage } from '../parts/object-page.tsx'
import { At, CopyableText, FactCard } from '../parts/shown.tsx'
import { AUDIT_PATH, ME_PATH, operatorPath } from '../paths.ts'
import { pathWith } from '../query.ts'
import { operatorOf, type SignedInOperator } from '../who.ts'
import { OperatorState, RoleField } from './list.tsx'

export const ONE_OPERATOR: ObjectPage<{ readonly id: string }, ListedOperator> = {
  place: 'operators',
  path: 'operators/:id',
  async find(world, { id }) {
    const found = isId(id) ? await operatorById(world, id.toLowerCase()) : undefined
    if (found === undefined) throw new PageRefusal(404, 'Not found', 'There is no such operator.')
    return found
  },
  title: ({ name }) => name,
  body: ({ found: person, operator }) => (
    <>
      <FactCard
        of={{
          Role: person.role,
          State: <OperatorState of={person} />,
          'Second factor': person.secondFactor,
          'Last signed in (UTC)': <At instant={person.lastSignedInAt} />,
          'Created (UTC)': person.createdAt,
          'Password link works until (UTC)': <At instant={person.linkExpiresAt} />,
        }}
      >
        <p>
          <a href={pathWith(AUDIT_PATH, {}, { operator: person.name })}>What {person.name} did</a>
        </p>
      </FactCard>
      {person.id === operator.id ? (
        <p class="note">
          This is you. Another admin changes your role. <a href={ME_PATH}>Your account</a> has your
          password and second factor.
        </p>
      ) : (
        <Changes person={person} />
      )}
    </>
  ),
  actions: {
    async link(acting) {
      return linkShown(await makePasswordLink(acting.world, otherThan(acting), acting.found))
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

function Changes({ person }: { person: ListedOperator }) {
  const { name, isDisabled } = person
  const path = operatorPath(person.id)
  return (
    <div class="columns">
      <ActionCard title="Role" to={`${path}/role`} button="Set role">
        <RoleField name="role" value={person.role} />
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
export function linkShown(link: PasswordLink) {
  const once = (
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
  return { title: 'Password link', once }
}
