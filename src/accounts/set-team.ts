// Changes what an operator may change of a team.

import type { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { TeamChange } from './team-change.ts'

/**
 * Writes all changes or none: in the transaction of the caller, or in one of its own. An open batch
 * keeps its cutoff; a new cutoff counts from the next batch on.
 */
export async function changeTeam(
  world: World,
  teamId: string,
  changes: readonly TeamChange[],
  accountContext?: Prisma.TransactionClient,
): Promise<void> {
  if (accountContext === undefined) {
    return world.db.prisma.$transaction((own) => changeTeam(world, teamId, changes, own))
  }
  const team = Object.assign({}, ...changes.flatMap((one) => ('team' in one ? [one.team] : [])))
  await accountContext.team.update({
    where: { id: teamId },
    data: { ...team, updatedAt: world.clock.now() },
  })
  for (const change of changes) {
    if ('team' in change) continue
    const { mode, account } = change
    await accountContext.account.update({ where: { teamId_mode: { teamId, mode } }, data: account })
  }
}
