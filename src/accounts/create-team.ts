// Creates a team with its two accounts, sandbox and live.

import { OperatorError } from '../core/operator-error.ts'
import type { Query } from '../db/database.ts'
import type { WritingWorld } from '../world.ts'
import type { Mode } from './key.ts'

export interface CreatedTeam {
  readonly id: string
  readonly accounts: Readonly<Record<Mode, string>>
}

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

const NAMES_LOCK = 72_707_374

const LOCK_NAMES = 'SELECT pg_advisory_xact_lock($1)'

const SAME_NAME = `
  SELECT id, name FROM team
  WHERE lower(btrim(name)) = lower($1) AND id IS DISTINCT FROM $2::uuid LIMIT 1`

/**
 * Refuses a name that another team has, since operators find teams by their names. It stays free
 * until the commit ends: teams are named one after the other.
 */
export async function checkTeamName(query: Query, name: string, teamId?: string): Promise<void> {
  await query(LOCK_NAMES, [NAMES_LOCK])
  const [other] = await query(SAME_NAME, [name, teamId ?? null])
  if (other === undefined) return
  throw new OperatorError(
    `another team is named ${other.name} already (${other.id}): choose a different name`,
  )
}

export async function createTeam(world: WritingWorld, name: string): Promise<CreatedTeam> {
  if (!isTeamName(name)) throw new OperatorError(TEAM_NAME_RULE)
  const now = world.clock.now()
  const id = world.newId()
  const accounts = { sandbox: world.newId(), live: world.newId() }
  const { rateLimitPerMinute } = world.config
  const values = [id, name, now, accounts.sandbox, accounts.live, rateLimitPerMinute]
  const { query } = world.db
  await checkTeamName(query, name)
  await query(WRITE_TEAM, values)
  return { id, accounts }
}
