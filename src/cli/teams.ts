// `lamplighter teams …`

import { createTeam } from '../accounts/create-team.ts'
import { findTeam } from '../accounts/find-team.ts'
import { changeTeam } from '../accounts/set-team.ts'
import { readTeamChange } from '../accounts/team-change.ts'
import { listTeams, teamSummary } from '../accounts/team-summary.ts'
import { openHouse } from './open-house.ts'
import { type Output, print, printOne } from './output.ts'

export async function create(name: string, options: Output): Promise<void> {
  const house = await openHouse({ role: 'guest' })
  try {
    const { id, accounts } = await createTeam(house.world, name)
    printOne({ id, name, sandbox: accounts.sandbox, live: accounts.live }, options)
  } finally {
    await house.close()
  }
}

export async function list(options: Output): Promise<void> {
  const house = await openHouse({ role: 'guest' })
  try {
    print(await listTeams(house.world), options)
  } finally {
    await house.close()
  }
}

export async function set(
  team: string,
  changes: readonly string[],
  options: Output,
): Promise<void> {
  const house = await openHouse({ role: 'guest' })
  try {
    const { id } = await findTeam(house.world, team)
    await changeTeam(house.world, id, changes.map(readTeamChange))
    printOne(teamSummary(await findTeam(house.world, id)), options)
  } finally {
    await house.close()
  }
}
