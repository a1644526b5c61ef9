// Counts within the process: while the store that all processes share is away.

import type { RateLimiterMemory } from 'rate-limiter-flexible'
import { COUNT_ONLY, type RequestCounter } from './counter.ts'

export function memoryCounter(): RequestCounter {
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
      await (await opened).reward(subject)
    },
    forgetEnded: async () => {},
    close: async () => {},
  }
}

/** Read when it is needed: most processes never are without their store. */
async function open(): Promise<RateLimiterMemory> {
  const { RateLimiterMemory } = await import('rate-limiter-flexible')
  return new RateLimiterMemory(COUNT_ONLY)
}
