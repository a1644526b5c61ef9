// The accounts that an operator means: those of a team, or one by its own id.

import { isId } from '../core/id.ts'
import type { Account, Team } from '../generated/client.ts'
import type { World } from '../world.ts'
import { findTeam } from './find-team.ts'

export async function accountsNamed(world: World, name: string): Promise<readonly Account[]> {
  const account = isId(name)
    ? await world.db.prisma.account.findUnique({ where: { id: name } })
    : null
  return account === null ? (await findTeam(world, name)).accounts : [account]
}

export type AccountWithTeam = Account & { readonly team: Team }

export async function accountWithTeam(
  world: World,
  id: string,
): Promise<AccountWithTeam | undefined> {
  const found = await world.db.prisma.account.findUnique({ where: { id }, include: { team: true } })
  return found ?? undefined
}
