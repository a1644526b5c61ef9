// Changes what an operator may change of a team.

import type { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import { readTeamChange } from './team-change.ts'

/**
 * `changes` as they are typed: `status=inactive`, `sms_enabled=true`, `live_rate_limit=500`. All of
 * them or none. A batch that is open keeps its cutoff: a new one counts from the next batch on.
 */
export async function setTeam(
  world: World,
  teamId: string,
  changes: readonly string[],
): Promise<void> {
  await world.db.prisma.$transaction((books) => writeTeamChanges(world, books, teamId, changes))
}

export async function writeTeamChanges(
  world: World,
  books: Prisma.TransactionClient,
  teamId: string,
  changes: readonly string[],
): Promise<void> {
  const read = changes.map(readTeamChange)
  const team = Object.assign({}, ...read.flatMap((one) => ('team' in one ? [one.team] : [])))
  await books.team.update({
    where: { id: teamId },
    data: { ...team, updatedAt: world.clock.now() },
  })
  for (const change of read) {
    if ('team' in change) continue
    const { mode, account } = change
    await books.account.update({ where: { teamId_mode: { teamId, mode } }, data: account })
  }
}
