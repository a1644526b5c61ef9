// The clock of a sandbox account: the columns of its row, and how the API shows it.

import assert from 'node:assert'
import type { Caller } from '../accounts/find-caller.ts'
import { Refusal } from '../core/errors.ts'
import type { Query } from '../db/database.ts'
import type { Row } from '../db/gathered.ts'
import type { World } from '../world.ts'

export interface ClockAdvance {
  readonly from: Date
  readonly target: Date
  /** True if the account returns to real time at the target. */
  readonly ends: boolean
}

export interface SandboxClock {
  /** Null if the account is in real time. */
  readonly at: Date | null
  /** Undefined while the clock stands still. */
  readonly advance: ClockAdvance | undefined
}

export const CLOCK_COLUMNS = 'clock_at, clock_from, clock_target, clock_ends'

export function readClockRow(row: Row | undefined): SandboxClock {
  assert(row !== undefined, 'accounts are never deleted')
  const { clock_at: at, clock_from: from, clock_target: target, clock_ends: ends } = row
  return { at, advance: target === null ? undefined : { from, target, ends } }
}

const FIND = `SELECT ${CLOCK_COLUMNS} FROM account WHERE id = $1`

/** Until this commit ends, no other commit sets or advances the clock. */
export async function lockClock(query: Query, accountId: string): Promise<SandboxClock> {
  const [row] = await query(`${FIND} FOR NO KEY UPDATE`, [accountId])
  return readClockRow(row)
}

/** Live accounts are always in real time. */
export function refuseLive({ mode }: Caller): void {
  if (mode === 'live') throw new Refusal('sandbox_only')
}

/** Refuses a request that came at the same moment as another. */
export function refuseChangeWhileAdvancing({ advance }: SandboxClock): void {
  if (advance !== undefined) throw new Refusal('clock_advancing')
}

/** The next sweep finds the rest. */
const MOST = 500

const OVERDUE = `
  SELECT id, clock_due_at FROM account
  WHERE clock_due_at <= $1
  ORDER BY clock_due_at
  LIMIT ${MOST}`

/**
 * Nudges clocks that are being advanced and that no worker continues: the nudge was lost, or the
 * worker died.
 */
export async function nudgeOverdueClocks(world: World): Promise<number> {
  const rows = await world.db.query(OVERDUE, [world.clock.now()])
  const overdue = rows.map(({ id, clock_due_at: dueAt }) => {
    return { accountId: id, id, requestId: world.newId(), dueAt }
  })
  if (overdue.length > 0) await world.queues.nudgeOverdue('clock', overdue)
  return overdue.length
}

export interface ClockView {
  readonly now: Date
  readonly status: 'ready' | 'advancing'
  readonly target: Date | null
  /** The finished part of the advance, from 0 to 1. */
  readonly progress: number | null
}

/** A clock as the API shows it. */
function clockView(world: World, { at, advance }: SandboxClock): ClockView {
  const now = world.accountNow({ clockAt: at })
  if (advance === undefined) return { now, status: 'ready', target: null, progress: null }
  const { done, of } = progressOf(advance, now)
  const progress = of === 0 ? 0 : done / of
  return { now, status: 'advancing', target: advance.target, progress }
}

/** The same after the commit that may have started an advance, whose job is nudged. */
export function startedView(
  world: World,
  { accountId }: Pick<Caller, 'accountId'>,
  requestId: string,
  clock: SandboxClock,
): ClockView {
  if (clock.advance !== undefined) {
    const replyTo = world.queues.replies.address
    world.queues.nudge('clock', { accountId, id: accountId, requestId, replyTo })
  }
  return clockView(world, clock)
}

/** Both are in milliseconds of the account's time. */
export function progressOf({ from, target }: ClockAdvance, now: Date) {
  return { done: now.getTime() - from.getTime(), of: target.getTime() - from.getTime() }
}

/** The current time of an account, and the progress of its clock's advance. */
export async function readClock(world: World, caller: Caller): Promise<ClockView> {
  refuseLive(caller)
  const [row] = await world.db.query(FIND, [caller.accountId])
  return clockView(world, readClockRow(row))
}
