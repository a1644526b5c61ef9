// `lamplighter keys …` manages merchants' keys.

import { findTeam } from '../accounts/find-teams.ts'
import type { Mode } from '../accounts/key.ts'
import {
  createKey,
  listKeys,
  readExpiry,
  readKey,
  readKeyChange,
  readOverlap,
  revokeKey,
  rollKey,
  setKey,
} from '../accounts/manage-keys.ts'
import { OperatorError } from '../accounts/operator-error.ts'
import { withWorld } from './open-service.ts'
import { type Output, print, printOne } from './output.ts'

interface CreateOptions extends Output {
  readonly team: string
  readonly mode: string
  readonly name: string
  readonly expires?: string
}

export function createKeyCommand(options: CreateOptions): Promise<void> {
  return withWorld(async (world) => {
    const team = await findTeam(world, options.team)
    const mode = modeOf(options.mode)
    const account = team.accounts.find((one) => one.mode === mode)
    if (account === undefined) throw new OperatorError(`${team.name} has no ${mode} account`)
    const { name } = options
    const now = world.clock.now()
    const expiresAt = options.expires === undefined ? undefined : readExpiry(options.expires, now)
    const created = await createKey(world, { accountId: account.id, mode, name, expiresAt })
    printOne({ ...created, expiresAt: expiresAt ?? null }, options)
  })
}

export function listKeysCommand(options: Output & { readonly team?: string }): Promise<void> {
  return withWorld(async (world) => {
    const team = options.team === undefined ? undefined : await findTeam(world, options.team)
    print(await listKeys(world, team?.id), options)
  })
}

export function rollKeyCommand(
  id: string,
  options: Output & { readonly overlap: string },
): Promise<void> {
  return withWorld(async (world) => {
    const until = readOverlap(options.overlap, world.clock.now())
    printOne(await rollKey(world, id, until), options)
  })
}

export function revokeKeyCommand(id: string, options: Output): Promise<void> {
  return withWorld(async (world) => {
    await revokeKey(world, id)
    printOne({ id, state: 'revoked' }, options)
  })
}

export function setKeyCommand(
  id: string,
  changes: readonly string[],
  options: Output,
): Promise<void> {
  return withWorld(async (world) => {
    await setKey(world, id, readKeyChange(changes, world.clock.now()))
    printOne(await readKey(world, id), options)
  })
}

function modeOf(text: string): Mode {
  if (text === 'sandbox' || text === 'live') return text
  throw new OperatorError(`${text} is not a mode: sandbox or live`)
}
