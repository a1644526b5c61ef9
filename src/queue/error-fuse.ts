// Handles the errors of connections and queues. No error ends the process or floods the log. But if
// errors come so fast that nothing else runs any more, this ends the process.

import type { Logger } from 'pino'
import { SECOND } from '../core/time-units.ts'
import type { Outages } from '../log/outages.ts'
import type { OnEngineError } from './engine.ts'

const WINDOW_MS = 10 * SECOND

/**
 * An outage causes a few errors a second. Only a client in a tight loop causes this many, and then
 * the process handles no signals either.
 */
const MOST_IN_WINDOW = 20_000

export function errorFuse(log: Logger, outages: Outages, blow: () => void): OnEngineError {
  let windowEnd = 0
  let count = 0
  return (error) => {
    outages.report('connection error', { err: error })
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
  }
}
