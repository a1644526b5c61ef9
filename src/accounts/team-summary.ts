// A team as operators see it: its row, and what each of its accounts has its own of.

import type { Account, Team } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { TeamWithAccounts } from './find-team.ts'

/** Undefined where the team has no such account. */
export interface TeamSummary extends Team {
  readonly sandboxRateLimit: number | undefined
  readonly liveRateLimit: number | undefined
  readonly sandboxCutoff: string | undefined
  readonly liveCutoff: string | undefined
  readonly sandboxTimezone: string | undefined
  readonly liveTimezone: string | undefined
  readonly sandboxRetryDays: readonly number[] | undefined
  readonly liveRetryDays: readonly number[] | undefined
  readonly sandboxReceipts: Account['autoReceipts'] | undefined
  readonly liveReceipts: Account['autoReceipts'] | undefined
}

export async function listTeams(world: World): Promise<readonly TeamSummary[]> {
  const teams = await world.db.prisma.team.findMany({
    include: { accounts: true },
    orderBy: { createdAt: 'asc' },
  })
  return teams.map(teamSummary)
}

export function teamSummary({ accounts, ...team }: TeamWithAccounts): TeamSummary {
  const sandbox = accountOf(accounts, 'sandbox')
  const live = accountOf(accounts, 'live')
  return {
    ...team,
    sandboxRateLimit: sandbox?.rateLimitPerMinute,
    liveRateLimit: live?.rateLimitPerMinute,
    sandboxCutoff: sandbox?.cutoff,
    liveCutoff: live?.cutoff,
    sandboxTimezone: sandbox?.timezone,
    liveTimezone: live?.timezone,
    sandboxRetryDays: sandbox?.retryDays,
    liveRetryDays: live?.retryDays,
    sandboxReceipts: sandbox?.autoReceipts,
    liveReceipts: live?.autoReceipts,
  }
}

function accountOf(accounts: readonly Account[], mode: Account['mode']): Account | undefined {
  return accounts.find((account) => account.mode === mode)
}
