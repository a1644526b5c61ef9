// A team as operators see it: its row, and how many requests a minute a key of each of its accounts
// may make.

import type { Team } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { TeamWithAccounts } from './find-team.ts'

export interface TeamSummary extends Team {
  readonly sandboxRateLimit: number | undefined
  readonly liveRateLimit: number | undefined
}

export async function listTeams(world: World): Promise<readonly TeamSummary[]> {
  const teams = await world.db.prisma.team.findMany({
    include: { accounts: true },
    orderBy: { createdAt: 'asc' },
  })
  return teams.map(teamSummary)
}

export function teamSummary({ accounts, ...team }: TeamWithAccounts): TeamSummary {
  const limitOf = (mode: 'sandbox' | 'live') =>
    accounts.find((account) => account.mode === mode)?.rateLimitPerMinute
  return { ...team, sandboxRateLimit: limitOf('sandbox'), liveRateLimit: limitOf('live') }
}
