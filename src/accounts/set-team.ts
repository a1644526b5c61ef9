// Changes what an operator may change of a team.

import type { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { Mode } from './key.ts'
import { OperatorError } from './operator-error.ts'

const FLAGS = {
  enabled: 'enabled',
  sms_enabled: 'smsEnabled',
  split_funding_enabled: 'splitFundingEnabled',
  settlement_tokenization_enabled: 'settlementTokenizationEnabled',
} as const

const RATE_LIMITS: Readonly<Record<string, Mode>> = {
  sandbox_rate_limit: 'sandbox',
  live_rate_limit: 'live',
}

/** Requests a minute and key: what RATE_LIMIT_PER_MINUTE may be set to, too. */
const MOST_REQUESTS = 1_000_000

const FORM = [
  'name=…',
  'status=active|inactive',
  `${Object.keys(FLAGS).join('|')}=true|false`,
  `${Object.keys(RATE_LIMITS).join('|')}=1 to ${MOST_REQUESTS}`,
].join(', ')

type Change =
  | { readonly team: Prisma.TeamUpdateInput }
  | { readonly mode: Mode; readonly rateLimitPerMinute: number }

/**
 * `changes` as they are typed: `status=inactive`, `sms_enabled=true`, `live_rate_limit=500`. All of
 * them or none.
 */
export async function setTeam(
  world: World,
  teamId: string,
  changes: readonly string[],
): Promise<void> {
  const read = changes.map(readChange)
  const team = Object.assign({}, ...read.flatMap((one) => ('team' in one ? [one.team] : [])))
  await world.db.prisma.$transaction(async (books) => {
    await books.team.update({
      where: { id: teamId },
      data: { ...team, updatedAt: world.clock.now() },
    })
    for (const change of read) {
      if ('team' in change) continue
      const { mode, rateLimitPerMinute } = change
      await books.account.update({
        where: { teamId_mode: { teamId, mode } },
        data: { rateLimitPerMinute },
      })
    }
  })
}

function readChange(change: string): Change {
  const [, name = '', value = ''] = /^([a-z_]+)=(.+)$/.exec(change) ?? []
  if (name === 'name') return { team: { name: value } }
  if (name === 'status' && (value === 'active' || value === 'inactive')) {
    return { team: { status: value } }
  }
  const flag = Object.entries(FLAGS).find(([known]) => known === name)?.[1]
  if (flag !== undefined && (value === 'true' || value === 'false')) {
    return { team: { [flag]: value === 'true' } }
  }
  const mode = Object.hasOwn(RATE_LIMITS, name) ? RATE_LIMITS[name] : undefined
  if (mode !== undefined) return { mode, rateLimitPerMinute: readRateLimit(change, value) }
  throw new OperatorError(`${change} is no change of a team: ${FORM}`)
}

function readRateLimit(change: string, value: string): number {
  const limit = /^\d{1,9}$/.test(value) ? Number(value) : 0
  if (limit >= 1 && limit <= MOST_REQUESTS) return limit
  throw new OperatorError(
    `${change}: a minute's requests are a whole number, 1 to ${MOST_REQUESTS}`,
  )
}
