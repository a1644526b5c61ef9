// Claims schedules that are due and planned, and locks them until the commit. Of two rounds at the
// same moment, each takes the schedules that the other has not locked.

import type { Mode } from '../accounts/key.ts'
import type { Scope } from '../accounts/scope.ts'
import { arraysOf } from '../db/arrays-of.ts'
import type { Query } from '../db/database.ts'
import type { Row } from '../db/gathered.ts'
import type { World } from '../world.ts'
import type { DueSchedule } from './find-due.ts'
import { isCharged, reachedBy } from './notified.ts'
import { readSchedule, SCHEDULE_COLUMNS, SCHEDULE_JOINS, type ScheduleRow } from './schedule.ts'

/** A CHECK ensures that a due schedule has a next run. */
export interface ClaimedSchedule extends ScheduleRow {
  readonly nextRunAt: Date
  readonly account: {
    readonly mode: Mode
    readonly liveGateway: string | null
    readonly clockAt: Date | null
    readonly isTeamActive: boolean
    readonly smsEnabled: boolean
  }
  /** Its customer gets a message of the run, as far as is known beforehand. */
  readonly isReached: boolean
  /** Runs at or after `nextRunAt`. There are some only if a person has moved it back. */
  readonly existingRuns: readonly Date[]
}

/**
 * Claims only schedules that have not changed since they were planned; the others are planned
 * again. OFFSET 0 keeps each join a look-up by its key.
 */
const claim = (isDue: string) => `
  WITH s AS MATERIALIZED (
    SELECT s.* FROM schedule s
    JOIN unnest($2::uuid[], $3::uuid[], $4::integer[], $5::timestamptz[])
      AS planned (account_id, id, version, next_run_at)
      ON s.account_id = planned.account_id AND s.id = planned.id
    WHERE s.version = planned.version AND s.next_run_at = planned.next_run_at AND ${isDue}
    FOR NO KEY UPDATE OF s SKIP LOCKED
  )
  SELECT ${SCHEDULE_COLUMNS}, a.mode, a.live_gateway, a.clock_at,
    b.status = 'active' AND b.enabled AS is_team_active, b.sms_enabled,
    ARRAY(
      SELECT occurs_at FROM schedule_run r
      WHERE r.account_id = s.account_id AND r.schedule_id = s.id AND r.occurs_at >= s.next_run_at
    ) AS existing_runs
  FROM s ${SCHEDULE_JOINS}
  CROSS JOIN LATERAL (SELECT * FROM account WHERE id = s.account_id OFFSET 0) a
  CROSS JOIN LATERAL (SELECT * FROM team WHERE id = a.team_id OFFSET 0) b`

const CLAIM = claim('s.due_at <= $1')
const CLAIM_IN_SCOPE = claim('s.next_run_at <= $1')

export async function claimDueSchedules(
  world: World,
  query: Query,
  scope: Scope | undefined,
  planned: readonly DueSchedule[],
): Promise<readonly ClaimedSchedule[]> {
  const rows = await query(scope === undefined ? CLAIM : CLAIM_IN_SCOPE, [
    scope?.now ?? world.clock.now(),
    ...arraysOf(planned, 'accountId', 'id', 'version', 'nextRunAt'),
  ])
  const claimed = rows.map(readClaimed)
  const reached = await reachedBy(query, claimed)
  return claimed.map((one) => ({ ...one, isReached: reached.has(one.id) }))
}

/** A run waits if no gateway would charge it, or while the team is not active. */
export function mustWait(
  { gateways }: World,
  { account, paymentMethod }: ClaimedSchedule,
): boolean {
  const isUnpayable = isCharged(paymentMethod) && !gateways.wouldCharge(account, paymentMethod)
  return !account.isTeamActive || isUnpayable
}

function readClaimed(row: Row): Omit<ClaimedSchedule, 'isReached'> {
  const schedule = readSchedule(row)
  return {
    ...schedule,
    nextRunAt: row.s_next_run_at,
    account: {
      mode: row.mode,
      liveGateway: row.live_gateway,
      clockAt: row.clock_at,
      isTeamActive: row.is_team_active,
      smsEnabled: row.sms_enabled,
    },
    existingRuns: row.existing_runs,
  }
}
