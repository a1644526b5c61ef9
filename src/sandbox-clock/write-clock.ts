// The writes of a clock, each part of a commit that has locked it.
//
// Work in an account's own time is due in real time only while the two are the same. So the commit
// in which the account leaves real time removes the due times of its work, and the one in which it
// returns sets them again.

import type { Query } from '../db/database.ts'
import {
  CLOCK_COLUMNS,
  type ClockAdvance,
  readClockRow,
  type SandboxClock,
} from './sandbox-clock.ts'

const STAND = `
  UPDATE account SET clock_at = $2, clock_from = NULL, clock_target = NULL, clock_ends = false,
    clock_due_at = NULL
  WHERE id = $1
  RETURNING ${CLOCK_COLUMNS}`

/** The clock stands still there. Null returns the account to real time. */
export async function stopAt(
  query: Query,
  accountId: string,
  at: Date | null,
): Promise<SandboxClock> {
  const [row] = await query(STAND, [accountId, at])
  return readClockRow(row)
}

const DEPART = `
  UPDATE account SET clock_at = $2, clock_from = $2, clock_target = $3, clock_ends = $4,
    clock_due_at = $5
  WHERE id = $1
  RETURNING ${CLOCK_COLUMNS}`

/** The advance is pending work of the account. `dueAt` is in real time. */
export async function startAdvance(
  query: Query,
  accountId: string,
  { from, target, ends }: ClockAdvance,
  dueAt: Date,
): Promise<SandboxClock> {
  const [row] = await query(DEPART, [accountId, from, target, ends, dueAt])
  return readClockRow(row)
}

/**
 * A batch that is being closed stays due, and so does one whose events are not all written, because
 * both are work under way.
 */
const OUT_OF_REAL_TIME = [
  `UPDATE batch SET due_at = NULL
   WHERE account_id = $1 AND due_at IS NOT NULL
     AND status <> 'closing' AND (events_written < count) IS NOT TRUE`,
  'UPDATE schedule SET due_at = NULL WHERE account_id = $1 AND due_at IS NOT NULL',
  'UPDATE invoice SET due_at = NULL WHERE account_id = $1 AND due_at IS NOT NULL',
]

export async function leaveRealTime(query: Query, accountId: string): Promise<void> {
  for (const statement of OUT_OF_REAL_TIME) await query(statement, [accountId])
}

const INTO_REAL_TIME = [
  `UPDATE batch SET due_at = cutoff_at
   WHERE account_id = $1 AND due_at IS NULL AND status = 'open'`,
  `UPDATE batch SET due_at = deposit_at
   WHERE account_id = $1 AND due_at IS NULL AND status = 'closed' AND deposited_at IS NULL`,
  `UPDATE schedule SET due_at = next_run_at
   WHERE account_id = $1 AND due_at IS NULL AND next_run_at IS NOT NULL`,
  `UPDATE invoice SET due_at = retry_at
   WHERE account_id = $1 AND due_at IS NULL AND retry_at IS NOT NULL`,
]

export async function returnToRealTime(query: Query, accountId: string): Promise<void> {
  for (const statement of INTO_REAL_TIME) await query(statement, [accountId])
}
