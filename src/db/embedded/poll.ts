// Waiting for what sends no event: another process's file, a process that is not our child.

import { setTimeout as delay } from 'node:timers/promises'

/** The first answer that is not undefined; undefined where none came in time. */
export async function poll<T>(
  look: () => Promise<T | undefined>,
  limits: { readonly everyMs: number; readonly withinMs: number },
): Promise<T | undefined> {
  const until = performance.now() + limits.withinMs
  while (true) {
    const seen = await look()
    if (seen !== undefined || performance.now() >= until) return seen
    await delay(limits.everyMs)
  }
}
