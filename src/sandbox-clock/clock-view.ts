// A clock as the API shows it.

import type { World } from '../world.ts'
import type { Journey, SandboxClock } from './clock-row.ts'

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
