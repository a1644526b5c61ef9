// Creates a team with its two accounts, sandbox and live.

import { OperatorError } from '../core/operator-error.ts'
import { queryIn } from '../db/queries.ts'
import type { Prisma } from '../generated/client.ts'
import type { WritingWorld } from '../world.ts'
import type { Mode } from './key.ts'

export interface CreatedTeam {
  readonly id: string
  readonly accounts: Readonly<Record<Mode, string>>
}

/** One statement, so that it needs no transaction of its own. */
const WRITE_TEAM = `
  WITH made AS (
    INSERT INTO team (id, name, created_at, updated_at)
    VALUES ($1::uuid, $2, $3::timestamptz, $3::timestamptz)
  )
  INSERT INTO account (id, team_id, mode, rate_limit_per_minute, created_at)
  VALUES ($4::uuid, $1::uuid, 'sandbox', $6::int, $3::timestamptz),
    ($5::uuid, $1::uuid, 'live', $6::int, $3::timestamptz)`

export const LONGEST_TEAM_NAME = 120

const TEAM_NAME = /^[^\s\p{C}](?:\P{C}*[^\s\p{C}])?$/u

export const TEAM_NAME_RULE =
  `a name has 1 to ${LONGEST_TEAM_NAME} characters, ` +
  'none of them invisible, and no space at its ends'

/** A blank name would leave nothing to click on. */
export function isTeamName(name: string): boolean {
  return TEAM_NAME.test(name) && [...name].length <= LONGEST_TEAM_NAME
}

export function createTeam(world: WritingWorld, name: string): Promise<CreatedTeam> {
  return writeTeam(world, undefined, name)
}

export async function writeTeam(
  world: WritingWorld,
  tx: Prisma.TransactionClient | undefined,
  name: string,
): Promise<CreatedTeam> {
  if (!isTeamName(name)) throw new OperatorError(TEAM_NAME_RULE)
  const now = world.clock.now()
  const id = world.newId()
  const accounts = { sandbox: world.newId(), live: world.newId() }
  const { rateLimitPerMinute } = world.config
  const values = [id, name, now, accounts.sandbox, accounts.live, rateLimitPerMinute]
  await queryIn(tx, world.db)(WRITE_TEAM, values)
  return { id, accounts }
}
