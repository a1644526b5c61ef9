// Changes what an operator may change of a team.

import type { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import { OperatorError } from './operator-error.ts'

const FLAGS = {
  enabled: 'enabled',
  sms_enabled: 'smsEnabled',
  split_funding_enabled: 'splitFundingEnabled',
  settlement_tokenization_enabled: 'settlementTokenizationEnabled',
} as const

const FORM = `name=…, status=active|inactive, ${Object.keys(FLAGS).join('|')}=true|false`

/** `changes` as they are typed: `status=inactive`, `sms_enabled=true`. */
export async function setTeam(
  world: World,
  teamId: string,
  changes: readonly string[],
): Promise<void> {
  const data = Object.assign({}, ...changes.map(readChange)) as Prisma.TeamUpdateInput
  await world.db.prisma.team.update({
    where: { id: teamId },
    data: { ...data, updatedAt: world.clock.now() },
  })
}

function readChange(change: string): Prisma.TeamUpdateInput {
  const [, name = '', value = ''] = /^([a-z_]+)=(.+)$/.exec(change) ?? []
  if (name === 'name') return { name: value }
  if (name === 'status' && (value === 'active' || value === 'inactive')) return { status: value }
  const flag = Object.entries(FLAGS).find(([known]) => known === name)?.[1]
  if (flag !== undefined && (value === 'true' || value === 'false')) {
    return { [flag]: value === 'true' }
  }
  throw new OperatorError(`${change} is no change of a team: ${FORM}`)
}
