// Finds the teams and accounts that an operator means: by an id, a name or a part of one.

import { isId } from '../core/id.ts'
import type { Account, Prisma, Team } from '../generated/client.ts'
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
    throw new OperatorError(`more than one team is named ${idOrName}: name it by its id`)
  }
  return team
}

/** The accounts that an operator means: those of a team, or one by its own id. */
export async function accountsNamed(world: World, name: string): Promise<readonly Account[]> {
  const account = isId(name)
    ? await world.db.prisma.account.findUnique({ where: { id: name } })
    : null
  return account === null ? (await findTeam(world, name)).accounts : [account]
}

export type AccountWithTeam = Account & { readonly team: Team }

export async function accountWithTeam(
  world: World,
  id: string,
): Promise<AccountWithTeam | undefined> {
  const found = await world.db.prisma.account.findUnique({ where: { id }, include: { team: true } })
  return found ?? undefined
}

export interface FoundTeams {
  readonly total: number
  readonly teams: readonly TeamWithAccounts[]
}

/**
 * Teams as operators look for them: by a part of their name, or by an id of theirs or of one of
 * their accounts; the newest first.
 */
export async function searchTeams(
  world: World,
  word: string | undefined,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<FoundTeams> {
  const where = word === undefined ? {} : namedBy(word)
  const [total, teams] = await Promise.all([
    world.db.prisma.team.count({ where }),
    world.db.prisma.team.findMany({
      where,
      include: { accounts: { orderBy: { mode: 'asc' } } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip,
      take,
    }),
  ])
  return { total, teams }
}

function namedBy(word: string): Prisma.TeamWhereInput {
  if (isId(word)) return { OR: [{ id: word }, { accounts: { some: { id: word } } }] }
  return { name: { contains: word, mode: 'insensitive' } }
}

/** Undefined if the team has no such account. */
interface TeamSummary extends Team {
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
  readonly liveStripeAccount: string | null | undefined
  readonly liveGateway: string | null | undefined
}

/** A team as operators see it: its row, and what each of its accounts has its own of. */
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
    liveStripeAccount: live?.gatewayAccount,
    liveGateway: live?.liveGateway,
  }
}

function accountOf(accounts: readonly Account[], mode: Account['mode']): Account | undefined {
  return accounts.find((account) => account.mode === mode)
}
