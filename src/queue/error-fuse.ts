// Hears the errors of connections and queues: lets none end the process, floods no log, and ends
// the process itself when they come so fast that nothing else runs any more.

import type { Logger } from 'pino'
import { SECOND } from '../core/time-units.ts'
import type { Outages } from '../log/outages.ts'

const WINDOW_MS = 10 * SECOND

/**
 * An outage makes a few errors a second. Only a client that spins makes this many, and it hears no
 * signal either.
 */
const MOST_IN_WINDOW = 20_000

export interface ErrorFuse {
  readonly report: (error: Error) => void
}

export function errorFuse(log: Logger, outages: Outages, blow: () => void): ErrorFuse {
  let windowEnd = 0
  let count = 0
  return {
    report(error) {
      outages.tell('connection error', { err: error })
      const now = performance.now()
      if (now >= windowEnd) {
        windowEnd = now + WINDOW_MS
        count = 0
      }
      count += 1
      if (count === MOST_IN_WINDOW) {
        log.fatal({ err: error, count }, 'connection errors without end: this process gives up')
        blow()
      }
    },
  }
}
