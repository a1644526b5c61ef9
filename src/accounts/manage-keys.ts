// What operators do with keys: list, revoke, roll.

import { isId } from '../core/id.ts'
import type { ApiKey } from '../generated/client.ts'
import type { World } from '../world.ts'
import { type CreatedKey, writeKey } from './create-key.ts'
import type { Mode } from './key.ts'
import { OperatorError } from './operator-error.ts'

export type KeyState = 'active' | 'expired' | 'revoked'

export interface ListedKey {
  readonly id: string
  readonly team: string
  readonly mode: Mode
  readonly name: string
  readonly prefix: string
  readonly state: KeyState
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

export async function listKeys(world: World, teamId?: string): Promise<readonly ListedKey[]> {
  const keys = await world.db.prisma.apiKey.findMany({
    where: teamId === undefined ? {} : { account: { teamId } },
    include: { account: { include: { team: true } } },
    orderBy: { createdAt: 'asc' },
  })
  const now = world.clock.now()
  return keys.map((key) => ({
    id: key.id,
    team: key.account.team.name,
    mode: key.account.mode,
    name: key.name,
    prefix: key.prefix,
    state: stateOf(key, now),
    createdAt: key.createdAt,
    expiresAt: key.expiresAt,
  }))
}

/** From this instant on the key is refused; a second time changes nothing. */
export async function revokeKey(world: World, id: string): Promise<void> {
  const { accountId } = await findKey(world, id)
  await world.db.prisma.apiKey.updateMany({
    where: { accountId, id, revokedAt: null },
    data: { revokedAt: world.clock.now() },
  })
}

/** A new key of the same name and mode; the old one lives on until the given instant. */
export async function rollKey(world: World, id: string, oldUntil: Date): Promise<CreatedKey> {
  const old = await findKey(world, id)
  if (stateOf(old, world.clock.now()) !== 'active') {
    throw new OperatorError(`the key ${id} is not active: create another instead`)
  }
  const { accountId, name, expiresAt } = old
  const { mode } = old.account
  return world.db.prisma.$transaction(async (books) => {
    const isSooner = expiresAt === null || oldUntil < expiresAt
    if (isSooner) {
      await books.apiKey.update({
        where: { accountId_id: { accountId, id } },
        data: { expiresAt: oldUntil },
      })
    }
    return writeKey(world, books, { accountId, mode, name })
  })
}

async function findKey(world: World, id: string) {
  const key = isId(id)
    ? await world.db.prisma.apiKey.findFirst({ where: { id }, include: { account: true } })
    : null
  if (key === null) throw new OperatorError(`there is no key ${id}`)
  return key
}

function stateOf(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyState {
  if (key.revokedAt !== null && key.revokedAt <= now) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active'
}
