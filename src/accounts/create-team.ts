// Creates a team with its two accounts, sandbox and live.

import type { Prisma } from '../generated/client.ts'
import type { DatabaseWorld } from '../world.ts'
import type { Mode } from './key.ts'

export interface CreatedTeam {
  readonly id: string
  readonly accounts: Readonly<Record<Mode, string>>
}

export async function createTeam(world: DatabaseWorld, name: string): Promise<CreatedTeam> {
  return world.db.prisma.$transaction((tx) => writeTeam(world, tx, name))
}

export async function writeTeam(
  world: DatabaseWorld,
  tx: Prisma.TransactionClient,
  name: string,
): Promise<CreatedTeam> {
  const now = world.clock.now()
  const id = world.newId()
  const accounts = { sandbox: world.newId(), live: world.newId() }
  const rateLimitPerMinute = world.config.rateLimitPerMinute
  await tx.team.create({ data: { id, name, createdAt: now, updatedAt: now } })
  await tx.account.createMany({
    data: Object.entries(accounts).map(([mode, accountId]) => ({
      id: accountId,
      teamId: id,
      mode: mode as Mode,
      rateLimitPerMinute,
      createdAt: now,
    })),
  })
  return { id, accounts }
}
