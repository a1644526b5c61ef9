// `lamplighter operators …` manages the people who work on the console.

import { OperatorError } from '../core/operator-error.ts'
import { ROLES, type Role, roleNamed } from '../core/role.ts'
import { BY_COMMAND } from '../operators/audit-entries.ts'
import {
  addOperator,
  type ListedOperator,
  listOperators,
  makePasswordLink,
  operatorNamed,
  resetSecondFactor,
  setOperatorEnabled,
  setOperatorRole,
} from '../operators/manage-operators.ts'
import type { CommittingWorld } from '../world.ts'
import { type ListOutput, type Output, printLink, printOne, printRows } from './output.ts'
import type { TableColumn } from './table.ts'
import { withQueries } from './with-queries.ts'

const COLUMNS: readonly TableColumn<ReturnType<typeof shown>>[] = [
  { heading: 'NAME', read: ({ name }) => name, isCut: true },
  { heading: 'ROLE', read: ({ role }) => role },
  {
    heading: 'STATE',
    read: ({ state }) => state,
    colour: ({ state }) => (state === 'active' ? 'good' : 'bad'),
  },
  { heading: 'SECOND FACTOR', read: ({ secondFactor }) => secondFactor },
  { heading: 'LAST SIGNED IN', read: ({ lastSignedInAt }) => lastSignedInAt },
  { heading: 'CREATED', read: ({ createdAt }) => createdAt, isWide: true },
  { heading: 'ID', read: ({ id }) => id, isWide: true },
]

export function listOperatorsCommand(options: ListOutput): Promise<void> {
  return withQueries(async (world) =>
    printRows((await listOperators(world)).map(shown), COLUMNS, options),
  )
}

export function addOperatorCommand(
  name: string,
  options: Output & { readonly role: Role },
): Promise<void> {
  return withQueries(async (world) => {
    const operator = { name: name.trim(), role: options.role }
    printLink(world, await addOperator(world, BY_COMMAND, operator), options)
  })
}

export function setOperatorCommand(
  name: string,
  changes: readonly string[],
  options: Output,
): Promise<void> {
  return withQueries(async (world) => {
    const operator = await operatorNamed(world, name)
    // All are read before the first is written.
    const acts = changes.map(readChange)
    for (const act of acts) await act(world, operator)
    printOne(shown(await operatorNamed(world, name)), options)
  })
}

export function passwordLinkCommand(name: string, options: Output): Promise<void> {
  return withQueries(async (world) => {
    const operator = await operatorNamed(world, name)
    printLink(world, await makePasswordLink(world, BY_COMMAND, operator), options)
  })
}

export function resetSecondFactorCommand(name: string, options: Output): Promise<void> {
  return withQueries(async (world) => {
    await resetSecondFactor(world, BY_COMMAND, await operatorNamed(world, name))
    printOne(shown(await operatorNamed(world, name)), options)
  })
}

type Change = (world: CommittingWorld, operator: ListedOperator) => Promise<void>

function readChange(text: string): Change {
  const [, name = '', value = ''] = /^([a-z]+)=(.+)$/.exec(text) ?? []
  const role = roleNamed(value)
  if (name === 'role' && role !== undefined) {
    return (world, operator) => setOperatorRole(world, BY_COMMAND, operator, role)
  }
  if (name === 'enabled' && (value === 'true' || value === 'false')) {
    const isEnabled = value === 'true'
    return (world, operator) => setOperatorEnabled(world, BY_COMMAND, operator, isEnabled)
  }
  throw new OperatorError(`${text} is not a change: role=${ROLES.join('|')} or enabled=true|false`)
}

function shown({ hasPassword, isDisabled, ...operator }: ListedOperator) {
  const { id, name, role, secondFactor, lastSignedInAt, createdAt } = operator
  const state = hasPassword ? 'active' : 'no password yet'
  return {
    name,
    role,
    state: isDisabled ? 'disabled' : state,
    secondFactor,
    lastSignedInAt,
    createdAt,
    id,
  }
}
