// A clock that only this process advances. It holds a lease: the row's instant until which no other
// process takes it. This instant also identifies the holder, since a later holder has a later one.
// Each step is a conditional update, so a process that lost the lease moves nothing.

import assert from 'node:assert'
import { after } from '../core/time-units.ts'
import { done, snooze, type Verdict } from '../core/verdict.ts'
import type { World } from '../world.ts'
import { CLOCK_COLUMNS, type ClockAdvance, progressOf, readClockRow } from './sandbox-clock.ts'
import { returnToRealTime } from './write-clock.ts'

/** The lease is renewed when this part of it is left. */
const RENEWED_AT = 2 / 3

const TAKE = `
  UPDATE account SET clock_due_at = $3
  WHERE id = $1 AND clock_due_at <= $2
  RETURNING ${CLOCK_COLUMNS}`

const FIND_DUE = 'SELECT clock_due_at FROM account WHERE id = $1'

/** Returns a verdict if there is nothing to do, or another process does it. */
export async function takeClock(world: World, accountId: string): Promise<HeldClock | Verdict> {
  const now = world.clock.now()
  const leasedUntil = after(now, world.timings.leaseMs)
  const [row] = await world.db.query(TAKE, [accountId, now, leasedUntil])
  if (row === undefined) return withoutLease(world, accountId)
  const { at, advance } = readClockRow(row)
  assert(at !== null && advance !== undefined, 'a due clock is advancing: a CHECK ensures it')
  return new HeldClock(world, accountId, at, advance, leasedUntil)
}

async function withoutLease(world: World, accountId: string): Promise<Verdict> {
  const [found] = await world.db.query(FIND_DUE, [accountId])
  const dueAt: Date | null = found?.clock_due_at ?? null
  return dueAt === null ? done : snooze(dueAt)
}

const RENEW =
  'UPDATE account SET clock_due_at = $3 WHERE id = $1 AND clock_due_at = $2 RETURNING id'

const MOVE = `
  UPDATE account SET clock_at = $4, clock_due_at = $3
  WHERE id = $1 AND clock_due_at = $2
  RETURNING id`

const ARRIVE = `
  UPDATE account SET clock_at = CASE WHEN clock_ends THEN NULL ELSE clock_at END,
    clock_from = NULL, clock_target = NULL, clock_ends = false, clock_due_at = NULL
  WHERE id = $1 AND clock_due_at = $2 AND clock_at = clock_target
  RETURNING id`

export class HeldClock {
  readonly accountId: string
  readonly advance: ClockAdvance
  readonly #world: World
  #now: Date
  #leasedUntil: Date

  constructor(
    world: World,
    accountId: string,
    now: Date,
    advance: ClockAdvance,
    leasedUntil: Date,
  ) {
    this.#world = world
    this.accountId = accountId
    this.advance = advance
    this.#now = now
    this.#leasedUntil = leasedUntil
  }

  /** The clock's current instant. */
  get now(): Date {
    return this.#now
  }

  get progress() {
    return progressOf(this.advance, this.#now)
  }

  /** False if another process holds it by now. */
  async renew(): Promise<boolean> {
    const { clock, timings } = this.#world
    if (after(clock.now(), timings.leaseMs * RENEWED_AT) < this.#leasedUntil) return true
    return this.#write(RENEW, this.#nextLease())
  }

  async moveTo(instant: Date): Promise<boolean> {
    const isMoved = await this.#write(MOVE, this.#nextLease(), instant)
    if (isMoved) this.#now = instant
    return isMoved
  }

  /** The target is reached: the clock stands still, or returns to real time. */
  finish(): Promise<boolean> {
    const { accountId, advance } = this
    return this.#world.db.commit(`clock ${accountId}`, async (query) => {
      const [row] = await query(ARRIVE, [accountId, this.#leasedUntil])
      if (row !== undefined && advance.ends) await returnToRealTime(query, accountId)
      return row !== undefined
    })
  }

  /** Another process may continue at once. */
  async release(): Promise<void> {
    await this.#write(RENEW, this.#world.clock.now())
  }

  /** Always later than the previous lease, because it identifies the holder. */
  #nextLease(): Date {
    const next = after(this.#world.clock.now(), this.#world.timings.leaseMs)
    return next > this.#leasedUntil ? next : this.#leasedUntil
  }

  async #write(statement: string, dueAt: Date, ...more: readonly Date[]): Promise<boolean> {
    const values = [this.accountId, this.#leasedUntil, dueAt, ...more]
    const [row] = await this.#world.db.query(statement, values)
    if (row !== undefined) this.#leasedUntil = dueAt
    return row !== undefined
  }
}
