// Teams as operators look for them: by a part of their name, or by an id of theirs or of one of
// their accounts; the newest first.

import { isId } from '../core/id.ts'
import type { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { TeamWithAccounts } from './find-team.ts'

export interface FoundTeams {
  readonly total: number
  readonly teams: readonly TeamWithAccounts[]
}

export async function searchTeams(
  world: World,
  word: string | undefined,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<FoundTeams> {
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
