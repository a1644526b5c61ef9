// Claims schedules that are due, and holds them until the commit is done: of two rounds at the same
// moment each takes what the other does not hold.

import type { Mode } from '../accounts/key.ts'
import type { Scope } from '../accounts/scope.ts'
import type { Query } from '../db/database.ts'
import type { Row } from '../db/gathered.ts'
import type { World } from '../world.ts'
import { readSchedule, SCHEDULE_COLUMNS, SCHEDULE_JOINS, type ScheduleRow } from './schedule-row.ts'

/** What is due is never without a next run: a CHECK holds it. */
export interface Claimed extends ScheduleRow {
  readonly nextRunAt: Date
  readonly account: {
    readonly mode: Mode
    readonly clockAt: Date | null
    readonly isInGoodStanding: boolean
    readonly smsEnabled: boolean
  }
  /** From that run on; none, but where somebody has moved it back by hand. */
  readonly seenTo: readonly Date[]
}

/** Enough to be cheap, few enough to be held for a fraction of a second. */
const MOST_CLAIMED = 500

/** OFFSET 0 keeps each a look-up by its key. */
const claim = (isDue: string, order: string) => `
  WITH s AS MATERIALIZED (
    SELECT * FROM schedule WHERE ${isDue}
    ORDER BY ${order} LIMIT ${MOST_CLAIMED}
    FOR NO KEY UPDATE SKIP LOCKED
  )
  SELECT ${SCHEDULE_COLUMNS}, a.mode, a.clock_at,
    b.status = 'active' AND b.enabled AS is_in_good_standing, b.sms_enabled,
    ARRAY(
      SELECT occurs_at FROM schedule_run r
      WHERE r.account_id = s.account_id AND r.schedule_id = s.id AND r.occurs_at >= s.next_run_at
    ) AS seen_to
  FROM s ${SCHEDULE_JOINS}
  CROSS JOIN LATERAL (SELECT * FROM account WHERE id = s.account_id OFFSET 0) a
  CROSS JOIN LATERAL (SELECT * FROM team WHERE id = a.team_id OFFSET 0) b`

const CLAIM = claim('due_at <= $1', 'due_at, account_id, id')
const CLAIM_IN_SCOPE = claim('account_id = $2 AND next_run_at <= $1', 'next_run_at, id')

export async function claimDue(
  world: World,
  query: Query,
  scope: Scope | undefined,
): Promise<readonly Claimed[]> {
  const rows =
    scope === undefined
      ? await query(CLAIM, [world.clock.now()])
      : await query(CLAIM_IN_SCOPE, [scope.now, scope.accountId])
  return rows.map(readClaimed)
}

/** No gateway charges for a live account yet, and a team that is not active runs nothing. */
export function mustWait({ account, paymentMethodId }: Claimed): boolean {
  return !account.isInGoodStanding || (account.mode === 'live' && paymentMethodId !== null)
}

function readClaimed(row: Row): Claimed {
  const schedule = readSchedule(row)
  return {
    ...schedule,
    nextRunAt: row.s_next_run_at,
    account: {
      mode: row.mode,
      clockAt: row.clock_at,
      isInGoodStanding: row.is_in_good_standing,
      smsEnabled: row.sms_enabled,
    },
    seenTo: row.seen_to,
  }
}
