// `lamplighter teams …` manages merchants' teams.

import { listTeams, type TeamSummary, teamNamed } from '../accounts/list-teams.ts'
import { OperatorError } from '../core/operator-error.ts'
import { type ListOutput, type Output, printOne, printRows } from './output.ts'
import type { TableColumn } from './table.ts'
import { auditCommand, withQueries } from './with-database.ts'

const COLUMNS: readonly TableColumn<TeamSummary>[] = [
  { heading: 'ID', read: ({ id }) => id },
  { heading: 'NAME', read: ({ name }) => name, isCut: true },
  {
    heading: 'STATUS',
    read: ({ status }) => status,
    colour: ({ status }) => (status === 'active' ? 'good' : 'bad'),
  },
  { heading: 'CREATED', read: ({ createdAt }) => createdAt },
  { heading: 'EMAIL', read: ({ email }) => email, isWide: true },
  { heading: 'ENABLED', read: ({ enabled }) => enabled, isWide: true },
  { heading: 'SMS', read: ({ smsEnabled }) => smsEnabled, isWide: true },
  { heading: 'SPLIT', read: ({ splitFundingEnabled }) => splitFundingEnabled, isWide: true },
  {
    heading: 'TOKENIZATION',
    read: ({ settlementTokenizationEnabled }) => settlementTokenizationEnabled,
    isWide: true,
  },
  { heading: 'SANDBOX ACCOUNT', read: ({ sandboxAccountId }) => sandboxAccountId, isWide: true },
  { heading: 'SANDBOX LIMIT', read: ({ sandboxRateLimit }) => sandboxRateLimit, isWide: true },
  {
    heading: 'SANDBOX CUTOFF',
    read: (t) => dayEnd(t.sandboxCutoff, t.sandboxTimezone),
    isWide: true,
  },
  { heading: 'SANDBOX RETRIES', read: ({ sandboxRetryDays }) => sandboxRetryDays, isWide: true },
  { heading: 'SANDBOX RECEIPTS', read: ({ sandboxReceipts }) => sandboxReceipts, isWide: true },
  { heading: 'SANDBOX LOOK', read: ({ sandboxLook }) => sandboxLook, isWide: true },
  { heading: 'LIVE ACCOUNT', read: ({ liveAccountId }) => liveAccountId, isWide: true },
  { heading: 'LIVE LIMIT', read: ({ liveRateLimit }) => liveRateLimit, isWide: true },
  { heading: 'LIVE CUTOFF', read: (t) => dayEnd(t.liveCutoff, t.liveTimezone), isWide: true },
  { heading: 'LIVE RETRIES', read: ({ liveRetryDays }) => liveRetryDays, isWide: true },
  { heading: 'LIVE RECEIPTS', read: ({ liveReceipts }) => liveReceipts, isWide: true },
  { heading: 'LIVE LOOK', read: ({ liveLook }) => liveLook, isWide: true },
  { heading: 'STRIPE ACCOUNT', read: ({ liveStripeAccount }) => liveStripeAccount, isWide: true },
  { heading: 'GATEWAY', read: ({ liveGateway }) => liveGateway, isWide: true },
]

export function createTeamCommand(name: string, options: Output): Promise<void> {
  return withQueries(async (world) => {
    const { createTeam } = await import('../accounts/create-team.ts')
    const { id, accounts } = await createTeam(world, name)
    await auditCommand(world, { action: 'team made', subject: id, detail: { name } })
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
  const [{ readTeamChange }, { changeTeam }, { withWorld }] = await Promise.all([
    import('./team-changes.ts'),
    import('../accounts/change-team.ts'),
    import('./open-service.ts'),
  ])
  await withWorld(async (world) => {
    const { id } = await teamNamed(world, team)
    await changeTeam(world, id, changes.map(readTeamChange))
    const detail = { changes: changes.join(' ') }
    await auditCommand(world, { action: 'team changed', subject: id, detail })
    printOne(await teamNamed(world, id), options)
  })
}

export function stopClockCommand(team: string, options: Output): Promise<void> {
  return withQueries(async (world) => {
    const { stopAdvance } = await import('../sandbox-clock/stop-advance.ts')
    const { id, name } = await teamNamed(world, team)
    const stoppedAt = await stopAdvance(world, id)
    if (stoppedAt === undefined) throw new OperatorError(`no clock of ${name} is being advanced`)
    await auditCommand(world, {
      action: 'team clock stopped',
      subject: id,
      detail: { at: stoppedAt.toISOString() },
    })
    printOne({ team: name, stoppedAt }, options)
  })
}

function dayEnd(cutoff: string | null, timezone: string | null): string {
  return `${cutoff ?? ''} ${timezone ?? ''}`.trim()
}
