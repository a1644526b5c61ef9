// A clock as the API shows it.

import type { Caller } from '../accounts/find-caller.ts'
import type { World } from '../world.ts'
import { findClock, type Journey, refuseLive, type SandboxClock } from './clock-row.ts'

export interface ClockView {
  readonly now: Date
  readonly status: 'ready' | 'advancing'
  readonly target: Date | null
  /** From 0 to 1, by the time that has passed of the time that is to pass. */
  readonly progress: number | null
}

export function clockView(world: World, { at, journey }: SandboxClock): ClockView {
  const now = world.accountNow({ clockAt: at })
  if (journey === undefined) return { now, status: 'ready', target: null, progress: null }
  const { done, of } = progressOf(journey, now)
  const progress = of === 0 ? 0 : done / of
  return { now, status: 'advancing', target: journey.target, progress }
}

/** In milliseconds of the account's time. */
export function progressOf({ from, target }: Journey, now: Date) {
  return { done: now.getTime() - from.getTime(), of: target.getTime() - from.getTime() }
}

/** What time it is for an account, and how far its clock has come on its way. */
export async function readClock(world: World, caller: Caller): Promise<ClockView> {
  refuseLive(caller)
  return clockView(world, await findClock(world.db.query, caller.accountId))
}
