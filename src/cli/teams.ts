// `lamplighter teams …` manages merchants' teams.

import { MODES } from '../accounts/key.ts'
import { listedOf, listTeams, type TeamSummary, teamNamed } from '../accounts/list-teams.ts'
import { TEAM_SETTINGS } from '../accounts/team-settings.ts'
import { OperatorError } from '../core/operator-error.ts'
import { BY_COMMAND, inOneCommit, writeAuditEntry } from '../operators/audit-entries.ts'
import { addTeam, saveTeam } from '../operators/manage-teams.ts'
import type { World } from '../world.ts'
import { type ListOutput, type Output, printOne, printRows } from './output.ts'
import type { TableColumn } from './table.ts'
import { withQueries } from './with-queries.ts'

const COLUMNS: readonly TableColumn<TeamSummary>[] = [
  { heading: 'ID', read: ({ id }) => id },
  { heading: 'NAME', read: ({ name }) => name, isCut: true },
  {
    heading: 'STATUS',
    read: ({ status }) => status,
    colour: ({ status }) => (status === 'active' ? 'good' : 'bad'),
  },
  { heading: 'CREATED', read: ({ createdAt }) => createdAt },
  ...TEAM_SETTINGS.filter(({ key }) => key !== 'name' && key !== 'status').map(({ name, key }) =>
    wide(name, (team) => team[key]),
  ),
  ...MODES.flatMap((mode) => [
    wide(`${mode} account`, (team) => team[`${mode}AccountId`]),
    ...listedOf(mode).map(({ name }) => wide(`${mode}_${name}`, (team) => team[`${mode}_${name}`])),
    wide(`${mode} look`, (team) => team[`${mode}Look`]),
  ]),
]

function wide(name: string, read: (team: TeamSummary) => unknown): TableColumn<TeamSummary> {
  return { heading: name.replaceAll('_', ' ').toUpperCase(), read, isWide: true }
}

export function createTeamCommand(name: string, options: Output): Promise<void> {
  return withQueries(async (world) => {
    const { id, accounts } = await addTeam(world, BY_COMMAND, name)
    printOne({ id, name, sandbox: accounts.sandbox, live: accounts.live }, options)
  })
}

export function listTeamsCommand(options: ListOutput): Promise<void> {
  return withQueries(async (world) => printRows(await listTeams(world), COLUMNS, options))
}

export async function setTeamCommand(
  team: string,
  changes: readonly string[],
  options: Output,
): Promise<void> {
  const [{ readTeamChange }, { findTeam }, { withWorld }] = await Promise.all([
    import('./team-changes.ts'),
    import('../accounts/find-teams.ts'),
    import('./open-service.ts'),
  ])
  const act = async (world: World) => {
    const found = await findTeam(world, team)
    await saveTeam(world, BY_COMMAND, found, changes.map(readTeamChange))
    printOne(await teamNamed(world, found.id), options)
  }
  // A stop of the team must not wait for the end of an update.
  await withWorld(act, { schema: 'at least' })
}

export function stopClockCommand(team: string, options: Output): Promise<void> {
  return withQueries(async (world) => {
    const { stopAdvance } = await import('../sandbox-clock/stop-advance.ts')
    const { id, name } = await teamNamed(world, team)
    const stoppedAt = await inOneCommit(world, 'clock', async (own) => {
      const at = await stopAdvance(own, id)
      if (at === undefined) throw new OperatorError(`no clock of ${name} is being advanced`)
      const detail = { at: at.toISOString() }
      await writeAuditEntry(own, BY_COMMAND, { action: 'team clock stopped', subject: id, detail })
      return at
    })
    printOne({ team: name, stoppedAt }, options)
  })
}
