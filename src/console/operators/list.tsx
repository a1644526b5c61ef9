// The list of operators.

import { counted } from '../../core/counts.ts'
import { ROLE_WORDS, ROLES } from '../../core/role.ts'
import { type ListedOperator, listOperators } from '../../operators/manage-operators.ts'
import { ChoiceField, type ChoiceProps } from '../parts/fields.tsx'
import type { ListPage } from '../parts/list-page.tsx'
import { StatusWord } from '../parts/shown.tsx'
import { OPERATORS_PATH, operatorPath } from '../paths.ts'

export const NEW_OPERATOR_PATH = `${OPERATORS_PATH}/new`

const LINK_IS_OPEN = 'A one-time sign-in link has all rights.'

const PASSWORD_IS_OPEN =
  'ADMIN_PASSWORD lets in everybody who knows it, with all rights: remove it once each person here has ' +
  'a password of their own.'

const FACTOR_CLASSES = { off: 'quiet', on: undefined, locked: 'bad' } as const

export const OPERATOR_LIST: ListPage<ListedOperator> = {
  title: 'Operators',
  place: 'operators',
  intro: ({ config }) =>
    `The people who work here, each with a password and a role of their own. ${
      config.adminPassword === undefined ? LINK_IS_OPEN : PASSWORD_IS_OPEN
    }`,
  toCreate: { path: NEW_OPERATOR_PATH, words: 'New operator' },
  filters: [],
  columns: [
    { head: 'Name', isMain: true, cell: ({ id, name }) => <a href={operatorPath(id)}>{name}</a> },
    { head: 'Role', cell: ({ role }) => role },
    { head: 'State', cell: (one) => <OperatorState of={one} /> },
    {
      head: 'Second factor',
      named: true,
      cell: ({ secondFactor }) => <span class={FACTOR_CLASSES[secondFactor]}>{secondFactor}</span>,
    },
    { head: 'Last signed in (UTC)', named: true, cell: ({ lastSignedInAt }) => lastSignedInAt },
    { head: 'Created (UTC)', named: true, cell: ({ createdAt }) => createdAt },
  ],
  whenEmpty: 'There are no operators yet: everybody signs in with the one password or a link.',
  file: [
    'id',
    'name',
    'role',
    ['disabled', (one) => one.isDisabled],
    ['password', (one) => one.hasPassword],
    'second_factor',
    'created_at',
    'last_signed_in_at',
  ],
  find: async (world) => {
    const rows = await listOperators(world)
    return { rows, shown: counted(rows.length, 'operator') }
  },
}

export function OperatorState({ of }: { of: ListedOperator }) {
  if (of.isDisabled) return <StatusWord status="disabled" />
  return of.hasPassword ? (
    <StatusWord status="active" />
  ) : (
    <StatusWord status="pending" words="no password yet" />
  )
}

export function RoleField(props: Pick<ChoiceProps, 'name' | 'value' | 'fault'>) {
  const choices = ROLES.map((role) => [role, `${role}: ${ROLE_WORDS[role]}`] as const)
  return <ChoiceField label="Role" choices={choices} {...props} />
}
