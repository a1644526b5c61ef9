// Finds the team that an operator means, by its id or by its name.

import { isId } from '../core/id.ts'
import type { Account, Team } from '../generated/client.ts'
import type { World } from '../world.ts'
import { OperatorError } from './operator-error.ts'

export type TeamWithAccounts = Team & { readonly accounts: readonly Account[] }

export async function findTeam(world: World, idOrName: string): Promise<TeamWithAccounts> {
  const teams = await world.db.prisma.team.findMany({
    where: isId(idOrName) ? { id: idOrName } : { name: idOrName },
    include: { accounts: { orderBy: { mode: 'asc' } } },
    take: 2,
  })
  const [team, another] = teams
  if (team === undefined) throw new OperatorError(`there is no team ${idOrName}`)
  if (another !== undefined) {
    throw new OperatorError(`more than one team is named ${idOrName}: say which by its id`)
  }
  return team
}
