// The columns of an account that are its clock.

import assert from 'node:assert'
import type { Caller } from '../accounts/find-caller.ts'
import { Refusal } from '../core/errors.ts'
import type { Query } from '../db/database.ts'
import type { Row } from '../db/gathered.ts'
import type { World } from '../world.ts'

/** Where an account's time is being advanced to. */
export interface Journey {
  readonly from: Date
  readonly target: Date
  /** There the account returns to the real clock. */
  readonly ends: boolean
}

export interface SandboxClock {
  /** null: it is the real one. */
  readonly at: Date | null
  /** undefined while it stands still. */
  readonly journey: Journey | undefined
}

export const CLOCK_COLUMNS = 'clock_at, clock_from, clock_target, clock_ends'

export function readClockRow(row: Row | undefined): SandboxClock {
  assert(row !== undefined, 'accounts are for ever')
  const { clock_at: at, clock_from: from, clock_target: target, clock_ends: ends } = row
  return { at, journey: target === null ? undefined : { from, target, ends } }
}

const FIND = `SELECT ${CLOCK_COLUMNS} FROM account WHERE id = $1`

export async function findClock(query: Query, accountId: string): Promise<SandboxClock> {
  const [row] = await query(FIND, [accountId])
  return readClockRow(row)
}

/** Nobody else sets it, nor takes it further, until the commit that this is a part of. */
export async function lockClock(query: Query, accountId: string): Promise<SandboxClock> {
  const [row] = await query(`${FIND} FOR NO KEY UPDATE`, [accountId])
  return readClockRow(row)
}

/**
 * Who may not touch a clock, and when nobody may.
 *
 * Real money moves in real time.
 */
export function refuseLive({ mode }: Caller): void {
  if (mode === 'live') throw new Refusal('sandbox_only')
}

/** Said to whoever came at the same moment as another. */
export function refuseChangeWhileAdvancing({ journey }: SandboxClock): void {
  if (journey !== undefined) throw new Refusal('clock_advancing')
}

/** More are found by the next sweep. */
const MOST = 500

const OVERDUE = `
  SELECT id, clock_due_at FROM account
  WHERE clock_due_at <= $1
  ORDER BY clock_due_at
  LIMIT ${MOST}`

/**
 * Clocks that are on their way and that nobody takes further: their nudge got lost, or who had them
 * died.
 */
export async function nudgeOverdueClocks(world: World): Promise<number> {
  const rows = await world.db.query(OVERDUE, [world.clock.now()])
  const overdue = rows.map(({ id, clock_due_at: dueAt }) => {
    return { accountId: id, id, requestId: world.newId(), dueAt }
  })
  if (overdue.length > 0) await world.queues.nudgeOverdue('clock', overdue)
  return overdue.length
}
