// The schedules of all accounts, for operators, above all those that run next.
//
// Schedules in real time are found in one index over all accounts. An account with a clock of its
// own has no due times in real time, so its schedules are read account by account.

import type { Mode } from '../accounts/key.ts'
import { SECOND } from '../core/time-units.ts'
import type { Row } from '../db/gathered.ts'
import type { World } from '../world.ts'
import { readSchedule, SCHEDULE_COLUMNS, SCHEDULE_JOINS, type ScheduleRow } from './schedule.ts'

export const SCHEDULE_STAGES = [
  'coming',
  'overdue',
  'paused',
  'parked',
  'finished',
  'deleted',
] as const

/** The service has paused a parked schedule. A finished one is active but will not run again. */
export type ScheduleStage = (typeof SCHEDULE_STAGES)[number]

export interface FoundSchedule extends ScheduleRow {
  readonly teamId: string
  readonly teamName: string
  readonly mode: Mode
  /** The account's current time, by its own clock or in real time. */
  readonly now: Date
  readonly hasOwnClock: boolean
}

export interface ScheduleFilter {
  readonly stage: ScheduleStage
  /** Undefined for all accounts. */
  readonly accountIds: readonly string[] | undefined
  readonly skip: number
  readonly most: number
}

/** A schedule is overdue after this long. A worker's round takes less. */
const OVERDUE_SECONDS = 90

/** One account's rows for this page and the pages before it. */
const OF_ACCOUNT = (condition: string, order: string) => `
  FROM account a CROSS JOIN LATERAL (
    SELECT * FROM schedule
    WHERE account_id = a.id AND ${condition}
    ORDER BY ${order} LIMIT $2
  ) s`

const IN_REAL_TIME = `
  SELECT s.*, s.due_at AS place FROM schedule s
  WHERE s.due_at IS NOT NULL
  ORDER BY s.due_at, s.account_id, s.id LIMIT $2`

const BY_OWN_CLOCK = `
  SELECT s.*, s.next_run_at AS place
  ${OF_ACCOUNT('next_run_at IS NOT NULL', 'next_run_at, id')}
  WHERE a.clock_at IS NOT NULL`

/** A team that may not charge has its schedules put off again and again: these are overdue too. */
const OVERDUE_IN_REAL_TIME = `
  SELECT s.*, s.due_at AS place FROM schedule s
  WHERE s.due_at <= $4::timestamptz + interval '10 minutes'
    AND s.next_run_at <= $4::timestamptz - interval '${OVERDUE_SECONDS} seconds'
  ORDER BY s.due_at, s.account_id, s.id LIMIT $2`

const OF_SOME = (condition: string, order: string, place: string) => `
  SELECT s.*, ${place} AS place ${OF_ACCOUNT(condition, order)}
  WHERE ($1::uuid[] IS NULL OR a.id = ANY($1))`

const COMING_OF_SOME = OF_SOME('next_run_at IS NOT NULL', 'next_run_at, id', 's.next_run_at')

/** Schedules that will not run, the newest first. */
const RESTING = (condition: string) =>
  OF_SOME(condition, 'created_at DESC, id DESC', 's.created_at')

const RESTING_STATES = {
  paused: "status = 'paused'",
  parked: 'parked_reason IS NOT NULL',
  finished: "status = 'active' AND next_run_at IS NULL",
  deleted: "status = 'deleted'",
} as const

function stageStatement({ stage, accountIds }: ScheduleFilter): string {
  switch (stage) {
    case 'coming':
      return accountIds === undefined
        ? `(${IN_REAL_TIME}) UNION ALL (${BY_OWN_CLOCK})`
        : COMING_OF_SOME
    case 'overdue':
      return accountIds === undefined ? OVERDUE_IN_REAL_TIME : COMING_OF_SOME
    case 'paused':
    case 'parked':
    case 'finished':
    case 'deleted':
      return RESTING(RESTING_STATES[stage])
  }
}

/** The order is the time until the next run, each in its own account's time. */
const AHEAD = 's.place - coalesce(a.clock_at, $4::timestamptz), s.account_id, s.id'

/** Returns one more than `most` if there are more. */
export async function listSchedulesAnywhere(
  world: World,
  filter: ScheduleFilter,
): Promise<readonly FoundSchedule[]> {
  const { stage, accountIds, skip, most } = filter
  const runs = stage === 'coming' || stage === 'overdue'
  const text = `
    SELECT ${SCHEDULE_COLUMNS}, a.mode, a.clock_at, t.id AS team_id, t.name AS team_name
    FROM (${stageStatement(filter)}) s
    JOIN account a ON a.id = s.account_id
    JOIN team t ON t.id = a.team_id
    ${SCHEDULE_JOINS}
    WHERE ($1::uuid[] IS NULL OR s.account_id = ANY($1))
      AND (NOT $5::boolean OR s.next_run_at <=
        coalesce(a.clock_at, $4::timestamptz) - interval '${OVERDUE_SECONDS} seconds')
    ORDER BY ${runs ? AHEAD : 's.created_at DESC, s.id DESC'}
    LIMIT $3 OFFSET $6`
  const reach = skip + most + 1
  const isLate = stage === 'overdue'
  const values = [accountIds ?? null, reach, most + 1, world.clock.now(), isLate, skip]
  return (await world.db.query(text, values)).map((row) => readFound(world, row))
}

function readFound(world: World, row: Row): FoundSchedule {
  return {
    ...readSchedule(row),
    teamId: row.team_id,
    teamName: row.team_name,
    mode: row.mode,
    now: world.accountNow({ clockAt: row.clock_at }),
    hasOwnClock: row.clock_at !== null,
  }
}

/** How late the next run is. Undefined if it is in time. */
export function overdueMs({
  nextRunAt,
  now,
}: Pick<FoundSchedule, 'nextRunAt' | 'now'>): number | undefined {
  if (nextRunAt === null) return undefined
  const ms = now.getTime() - nextRunAt.getTime()
  return ms >= OVERDUE_SECONDS * SECOND ? ms : undefined
}
