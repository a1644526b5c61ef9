// Waits for what a busy machine may take long to show.

import { setTimeout as delay } from 'node:timers/promises'

export interface Patience {
  /** Only a failure takes so long. */
  readonly timeout?: number
  readonly interval?: number
}

/** What `look` returns as soon as it does not throw. */
export async function soon<T>(
  look: () => T | Promise<T>,
  { timeout = 45_000, interval = 20 }: Patience = {},
): Promise<T> {
  const startedMs = performance.now()
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (performance.now() - startedMs > timeout) {
        throw new Error(`not in time: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        })
      }
      await delay(interval)
    }
  }
}
