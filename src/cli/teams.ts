// `lamplighter teams …` manages merchants' teams.

import { changeTeam } from '../accounts/change-team.ts'
import { createTeam } from '../accounts/create-team.ts'
import { findTeam, listTeams, teamSummary } from '../accounts/find-teams.ts'
import { withWorld } from './open-service.ts'
import { type Output, print, printOne } from './output.ts'
import { readTeamChange } from './team-changes.ts'

export function createTeamCommand(name: string, options: Output): Promise<void> {
  return withWorld(async (world) => {
    const { id, accounts } = await createTeam(world, name)
    printOne({ id, name, sandbox: accounts.sandbox, live: accounts.live }, options)
  })
}

export function listTeamsCommand(options: Output): Promise<void> {
  return withWorld(async (world) => print(await listTeams(world), options))
}

export function setTeamCommand(
  team: string,
  changes: readonly string[],
  options: Output,
): Promise<void> {
  return withWorld(async (world) => {
    const { id } = await findTeam(world, team)
    await changeTeam(world, id, changes.map(readTeamChange))
    printOne(teamSummary(await findTeam(world, id)), options)
  })
}
