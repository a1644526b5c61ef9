// Finds schedules that are due, and when the next one is. It locks none of them: their next runs
// are planned before that.

import type { Scope } from '../accounts/scope.ts'
import { MINUTE } from '../core/time-units.ts'
import { columnsOf } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import type { Schedule } from '../generated/client.ts'
import type { World } from '../world.ts'

/** Its runs are planned from these columns. */
const PLANNED_FROM = [
  'accountId',
  'id',
  'version',
  'nextRunAt',
  'rule',
  'anchor',
  'timezone',
  'endAt',
  'requestId',
] as const

export interface DueSchedule extends Pick<Schedule, (typeof PLANNED_FROM)[number]> {
  readonly nextRunAt: Date
}

const schedule = columnsOf<DueSchedule>('Schedule', 's', [], PLANNED_FROM)

/** A row that another commit has locked must not delay all others. */
export const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '200ms'"

/** A team that may not charge, or that has no gateway, is checked again after this long. */
export const CHECK_AGAIN_MS = 5 * MINUTE

/** Enough to be cheap, few enough that their locks last only a fraction of a second. */
const MOST_FOUND = 500

const FIND = `
  SELECT ${schedule.list} FROM schedule s
  WHERE due_at <= $1 AND id <> ALL($2::uuid[]) AND account_id <> ALL($3::uuid[])
  ORDER BY due_at, account_id, id LIMIT ${MOST_FOUND}`

const FIND_IN_SCOPE = `
  SELECT ${schedule.list} FROM schedule s
  WHERE account_id = $3 AND next_run_at <= $1 AND id <> ALL($2::uuid[])
  ORDER BY next_run_at, id LIMIT ${MOST_FOUND}`

/**
 * The longest due first. Leaves out schedules that this round works on or has given up, and
 * accounts that have had their turn.
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
  return rows.map(schedule.read)
}

/** The first of an index, even while PostgreSQL has no statistics of the tables. */
const DUE = `
  SELECT least((SELECT min(due_at) FROM schedule), (SELECT min(due_at) FROM invoice)) <= $1
    AS is_due`

/** True if a round of the queue `schedules` would find due work in any account. */
export async function isAnythingDue(world: World): Promise<boolean> {
  const [found] = await world.db.query(DUE, [world.clock.now()])
  return found?.is_due === true
}

/** A team that may not charge runs nothing: its schedules wait, and then follow `missed_runs`. */
const NEXT = `
  SELECT least(
    (SELECT min(next_run_at) FROM schedule WHERE account_id = $1 AND next_run_at IS NOT NULL),
    (SELECT min(retry_at) FROM invoice WHERE account_id = $1 AND retry_at IS NOT NULL)
  ) AS next
  FROM account a JOIN team t ON t.id = a.team_id
  WHERE a.id = $1 AND t.status = 'active' AND t.enabled`

/**
 * The next instant at which an account's schedules, or retries of payments of their invoices, fall
 * due.
 *
 * It may be past, if some had to wait.
 */
export async function nextScheduled(query: Query, accountId: string): Promise<Date | undefined> {
  const [found] = await query(NEXT, [accountId])
  return found?.next ?? undefined
}
