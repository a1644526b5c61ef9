// Makes a key. The key is in the answer and nowhere else: only its hash is kept.

import { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import { hashOf, type Mode, newKey, prefixOf } from './key.ts'

export interface NewKey {
  readonly accountId: string
  readonly mode: Mode
  readonly name: string
  readonly expiresAt?: Date | undefined
  /** A key that somebody already has; else a new one is made. */
  readonly key?: string | undefined
}

export interface CreatedKey {
  readonly id: string
  readonly key: string
  readonly prefix: string
}

export async function createKey(world: World, wanted: NewKey): Promise<CreatedKey> {
  return world.db.prisma.$transaction((accountContext) => writeKey(world, accountContext, wanted))
}

export async function writeKey(
  world: World,
  accountContext: Prisma.TransactionClient,
  { accountId, mode, name, expiresAt, key = newKey(mode) }: NewKey,
): Promise<CreatedKey> {
  const id = world.newId()
  const prefix = prefixOf(key)
  await accountContext.apiKey.create({
    data: {
      accountId,
      id,
      name,
      prefix,
      createdAt: world.clock.now(),
      expiresAt: expiresAt ?? Prisma.skip,
      hash: { create: { hash: new Uint8Array(hashOf(key)) } },
    },
  })
  return { id, key, prefix }
}
