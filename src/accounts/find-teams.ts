// Finds the teams and accounts that an operator means: by an id, a name or a part of one.

import { isId } from '../core/id.ts'
import type { Account, Prisma, Team } from '../generated/client.ts'
import type { World } from '../world.ts'
import { teamNamed } from './list-teams.ts'

export type TeamWithAccounts = Team & { readonly accounts: readonly Account[] }

export async function findTeam(world: World, idOrName: string): Promise<TeamWithAccounts> {
  const { id } = await teamNamed(world, idOrName)
  return world.db.prisma.team.findUniqueOrThrow({
    where: { id },
    include: { accounts: { orderBy: { mode: 'asc' } } },
  })
}

/** The accounts that an operator means: those of a team, or one by its own id. */
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

/**
 * Teams as operators look for them: by a part of their name, or by an id of theirs or of one of
 * their accounts; the newest first.
 */
export async function searchTeams(
  world: World,
  word: string | undefined,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly total: number; readonly teams: readonly TeamWithAccounts[] }> {
  const where = word === undefined ? {} : namedBy(word)
  const [total, teams] = await Promise.all([
    world.db.prisma.team.count({ where }),
    world.db.prisma.team.findMany({
      where,
      include: { accounts: { orderBy: { mode: 'asc' } } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip,
      take,
    }),
  ])
  return { total, teams }
}

function namedBy(word: string): Prisma.TeamWhereInput {
  if (isId(word)) return { OR: [{ id: word }, { accounts: { some: { id: word } } }] }
  return { name: { contains: word, mode: 'insensitive' } }
}
