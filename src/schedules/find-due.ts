// Finds schedules that are due, and holds none of them: how they go on is planned before.

import type { Scope } from '../accounts/scope.ts'
import type { World } from '../world.ts'
import type { Timed } from './schedule-row.ts'

/** All that its runs are planned by. */
export interface DueSchedule extends Timed {
  readonly accountId: string
  readonly id: string
  readonly version: number
  readonly nextRunAt: Date
  readonly requestId: string
}

/** Enough to be cheap, few enough to be held for a fraction of a second. */
const MOST_FOUND = 500

const COLUMNS = `account_id, id, version, next_run_at, rule, anchor, timezone, end_at, request_id`

const FIND = `
  SELECT ${COLUMNS} FROM schedule
  WHERE due_at <= $1 AND id <> ALL($2::uuid[]) AND account_id <> ALL($3::uuid[])
  ORDER BY due_at, account_id, id LIMIT ${MOST_FOUND}`

const FIND_IN_SCOPE = `
  SELECT ${COLUMNS} FROM schedule
  WHERE account_id = $3 AND next_run_at <= $1 AND id <> ALL($2::uuid[])
  ORDER BY next_run_at, id LIMIT ${MOST_FOUND}`

/**
 * The longest due first, without those that this round has in hand, or leaves alone; of accounts
 * that have had their turn none.
 */
export async function findDue(
  world: World,
  scope: Scope | undefined,
  without: readonly string[],
  behind: readonly string[],
): Promise<readonly DueSchedule[]> {
  const rows =
    scope === undefined
      ? await world.db.query(FIND, [world.clock.now(), without, behind])
      : await world.db.query(FIND_IN_SCOPE, [scope.now, without, scope.accountId])
  return rows.map((row) => ({
    accountId: row.account_id,
    id: row.id,
    version: row.version,
    nextRunAt: row.next_run_at,
    rule: row.rule,
    anchor: row.anchor,
    timezone: row.timezone,
    endAt: row.end_at,
    requestId: row.request_id,
  }))
}
