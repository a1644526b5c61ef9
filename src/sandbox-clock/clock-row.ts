// The columns of an account that are its clock.

import assert from 'node:assert'
import type { Query } from '../db/database.ts'
import type { Row } from '../db/gathered.ts'

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
