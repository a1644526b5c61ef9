// `lamplighter keys …` manages merchants' keys.

import type { Mode } from '../accounts/key.ts'
import { teamNamed } from '../accounts/list-teams.ts'
import { type ListedKey, listKeys, readKey } from '../accounts/manage-keys.ts'
import { readExpiry, readKeyChange, readKeyName, readOverlap } from '../accounts/read-key-change.ts'
import type { Dialect } from '../core/dialect.ts'
import { OperatorError } from '../core/operator-error.ts'
import { BY_COMMAND } from '../operators/audit-entries.ts'
import { addKey, revokeKey, rollKey, saveKey } from '../operators/manage-teams.ts'
import { type ListOutput, type Output, printOne, printRows } from './output.ts'
import type { TableColumn } from './table.ts'
import { withQueries } from './with-queries.ts'

const STATE_COLOURS = { active: 'good', expired: 'odd', revoked: 'bad' } as const

const COLUMNS: readonly TableColumn<ListedKey>[] = [
  { heading: 'ID', read: ({ id }) => id },
  { heading: 'TEAM', read: ({ team }) => team, isCut: true },
  { heading: 'MODE', read: ({ mode }) => mode },
  { heading: 'NAME', read: ({ name }) => name, isCut: true },
  { heading: 'KEY', read: ({ prefix }) => `${prefix}…`, isWide: true },
  { heading: 'DIALECT', read: ({ dialect }) => dialect, isWide: true },
  { heading: 'STATE', read: ({ state }) => state, colour: ({ state }) => STATE_COLOURS[state] },
  { heading: 'CREATED', read: ({ createdAt }) => createdAt, isWide: true },
  { heading: 'EXPIRES', read: ({ expiresAt }) => expiresAt, isWide: true },
  { heading: 'LAST USED', read: ({ lastUsedAt }) => lastUsedAt },
  { heading: 'ACCOUNT', read: ({ accountId }) => accountId, isWide: true },
]

interface CreateOptions extends Output {
  readonly team: string
  readonly mode: Mode
  readonly name: string
  readonly dialect: Dialect
  readonly expires?: string
}

export function createKeyCommand(options: CreateOptions): Promise<void> {
  return withQueries(async (world) => {
    const team = await teamNamed(world, options.team)
    const { dialect, mode } = options
    const name = readKeyName(options.name)
    const accountId = mode === 'live' ? team.liveAccountId : team.sandboxAccountId
    if (accountId === null) throw new OperatorError(`${team.name} has no ${mode} account`)
    const now = world.clock.now()
    const expiresAt = options.expires === undefined ? undefined : readExpiry(options.expires, now)
    const key = { accountId, mode, name, dialect, expiresAt }
    const created = await addKey(world, BY_COMMAND, team.id, key)
    printOne({ ...created, expiresAt: expiresAt ?? null }, options)
  })
}

export function listKeysCommand(options: ListOutput & { readonly team?: string }): Promise<void> {
  return withQueries(async (world) => {
    const team = options.team === undefined ? undefined : await teamNamed(world, options.team)
    printRows(await listKeys(world, team?.id), COLUMNS, options)
  })
}

export function rollKeyCommand(
  id: string,
  options: Output & { readonly overlap: string },
): Promise<void> {
  return withQueries(async (world) => {
    const until = readOverlap(options.overlap, world.clock.now())
    const { old: _, ...rolled } = await rollKey(world, BY_COMMAND, id, until)
    printOne(rolled, options)
  })
}

export function revokeKeyCommand(id: string, options: Output): Promise<void> {
  return withQueries(async (world) => {
    await revokeKey(world, BY_COMMAND, id)
    printOne({ id, state: 'revoked' }, options)
  })
}

export function setKeyCommand(
  id: string,
  changes: readonly string[],
  options: Output,
): Promise<void> {
  return withQueries(async (world) => {
    const change = readKeyChange(changes, world.clock.now())
    await saveKey(world, BY_COMMAND, id, change)
    printOne(await readKey(world, id), options)
  })
}
