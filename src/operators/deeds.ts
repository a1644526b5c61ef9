// What operators did. Nobody changes or removes a deed.

import type { Deed, Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { Operator } from './session.ts'

export interface NewDeed {
  /** In a few words of the past: `key revoked`. */
  readonly deed: string
  /** What it was done to: a row's id, a queue's name. */
  readonly subject?: string | undefined
  /** Never a secret. */
  readonly detail?: Readonly<Record<string, string | number | boolean | null>> | undefined
}

/** Into the commit that does it, where there is one. */
export async function writeDeed(
  world: World,
  { name, address }: Pick<Operator, 'name' | 'address'>,
  { deed, subject, detail }: NewDeed,
  accountContext: Prisma.TransactionClient = world.db.prisma,
): Promise<void> {
  await accountContext.deed.create({
    data: {
      id: world.newId(),
      operator: name,
      address,
      deed,
      subject: subject ?? null,
      detail: { ...detail },
      createdAt: world.clock.now(),
    },
  })
}

export interface DeedSearch {
  /** As they called themselves. */
  readonly operator?: string | undefined
  readonly subject?: string | undefined
  /** The id of one that was shown already. */
  readonly before?: string | undefined
}

/** The newest first. */
export function listDeeds(
  world: World,
  most: number,
  { operator, subject, before }: DeedSearch = {},
): Promise<readonly Deed[]> {
  return world.db.prisma.deed.findMany({
    where: {
      ...(operator === undefined ? {} : { operator }),
      ...(subject === undefined ? {} : { subject }),
      ...(before === undefined ? {} : { id: { lt: before } }),
    },
    orderBy: { id: 'desc' },
    take: most,
  })
}
