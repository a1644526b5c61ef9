// `lamplighter keys …`

import { createKey } from '../accounts/create-key.ts'
import { findTeam } from '../accounts/find-team.ts'
import type { Mode } from '../accounts/key.ts'
import { listKeys, revokeKey, rollKey } from '../accounts/manage-keys.ts'
import { OperatorError } from '../accounts/operator-error.ts'
import { after, DAY, HOUR, MINUTE } from '../core/time-units.ts'
import type { World } from '../world.ts'
import { openHouse } from './open-house.ts'
import { type Output, print, printOne } from './output.ts'

export interface CreateOptions extends Output {
  readonly team: string
  readonly mode: string
  readonly name: string
  readonly expires?: string
}

export function create(options: CreateOptions): Promise<void> {
  return inHouse(async (world) => {
    const team = await findTeam(world, options.team)
    const mode = modeOf(options.mode)
    const account = team.accounts.find((one) => one.mode === mode)
    if (account === undefined) throw new OperatorError(`${team.name} has no ${mode} account`)
    const { name } = options
    const expiresAt = options.expires === undefined ? undefined : instantOf(world, options.expires)
    printOne(await createKey(world, { accountId: account.id, mode, name, expiresAt }), options)
  })
}

export function list(options: Output & { readonly team?: string }): Promise<void> {
  return inHouse(async (world) => {
    const team = options.team === undefined ? undefined : await findTeam(world, options.team)
    print(await listKeys(world, team?.id), options)
  })
}

export function roll(id: string, options: Output & { readonly overlap: string }): Promise<void> {
  return inHouse(async (world) => {
    printOne(await rollKey(world, id, instantOf(world, options.overlap)), options)
  })
}

export function revoke(id: string, options: Output): Promise<void> {
  return inHouse(async (world) => {
    await revokeKey(world, id)
    printOne({ id, state: 'revoked' }, options)
  })
}

async function inHouse(act: (world: World) => Promise<void>): Promise<void> {
  const house = await openHouse({ role: 'guest', quiet: true })
  try {
    await act(house.world)
  } finally {
    await house.close()
  }
}

function modeOf(text: string): Mode {
  if (text === 'sandbox' || text === 'live') return text
  throw new OperatorError(`${text} is no mode: sandbox or live`)
}

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY }

/** `30d`, `12h`, `0m`: from now; or a date. */
function instantOf(world: World, text: string): Date {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (count !== undefined) return after(world.clock.now(), Number(count) * (UNITS[unit] ?? 0))
  const instant = new Date(text)
  if (!Number.isNaN(instant.getTime())) return instant
  throw new OperatorError(`${text} is neither a time such as 30d, 12h or 15m, nor a date`)
}
