import { changeTeam } from '../../src/accounts/change-team.ts'
import { readTeamChange } from '../../src/cli/team-changes.ts'
import type { World } from '../../src/world.ts'

/** Changes a team by an operator's text at the command line: `enabled=false`. */
export async function setTeam(
  world: World,
  teamId: string,
  texts: readonly string[],
): Promise<void> {
  await changeTeam(world, teamId, texts.map(readTeamChange))
}
