// Counts requests. A subject's window begins with its first request and ends a minute later; the
// next request begins another one.

import type { RateLimiterMemory } from 'rate-limiter-flexible'
import { MINUTE, SECOND } from '../core/time-units.ts'

export const WINDOW_MS = MINUTE

/** These limiters only count. Limits differ by account and are compared elsewhere. */
export const COUNT_ONLY = { points: 0, duration: WINDOW_MS / SECOND }

export interface Counted {
  /** Requests in the window, including this one. */
  readonly used: number
  readonly resetMs: number
}

export interface RequestCounter {
  /** Counts one more request. No two requests of a window get the same number. */
  count(subject: string): Promise<Counted>
  /** Takes one request back, as if it had not been counted. */
  giveBack(subject: string): Promise<void>
  /** Deletes ended windows, if the store does not do it. */
  forgetEnded(): Promise<void>
  close(): Promise<void>
}

/** A counter that has no windows of its own to delete. */
export type CountingOnly = Pick<RequestCounter, 'count' | 'giveBack'>

/** Counts within the process: while the store that all processes share is away. */
export function memoryCounter(): CountingOnly {
  let opened: Promise<RateLimiterMemory> | undefined
  return {
    async count(subject) {
      opened ??= open()
      const limiter = await opened
      const { consumedPoints, msBeforeNext } = await limiter.penalty(subject)
      return { used: consumedPoints, resetMs: msBeforeNext }
    },
    async giveBack(subject) {
      opened ??= open()
      const limiter = await opened
      const known = await limiter.get(subject)
      const isLive = known !== null && known.msBeforeNext > 0
      if (isLive && known.consumedPoints > 0) await limiter.reward(subject)
    },
  }
}

/** Loaded only when needed: most processes are never without their store. */
async function open(): Promise<RateLimiterMemory> {
  const { RateLimiterMemory } = await import('rate-limiter-flexible')
  return new RateLimiterMemory(COUNT_ONLY)
}
