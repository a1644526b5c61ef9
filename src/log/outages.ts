// Logs an outage that many requests meet at once: one line with the error when it begins, and a
// count every ten seconds while it lasts. A flooded log would say nothing.

import type { Logger } from 'pino'
import { SECOND } from '../core/time-units.ts'

export interface Outages {
  /**
   * `words` describe the outage and are the same each time. `fields` are logged only with the
   * first.
   */
  report(words: string, fields: Fields): void
}

interface Fields {
  readonly err: unknown
  readonly request_id?: string
}

const WINDOW_MS = 10 * SECOND

export function openOutages(log: Logger): Outages {
  /** How often each occurred in its window, after the first time. */
  const counts = new Map<string, number>()

  function beginWindow(words: string): void {
    counts.set(words, 0)
    setTimeout(endWindow, WINDOW_MS, words).unref()
  }

  function endWindow(words: string): void {
    const count = counts.get(words) ?? 0
    counts.delete(words)
    if (count === 0) return
    log.warn({ count }, `${words} (${count} more in ${WINDOW_MS / SECOND} s)`)
    beginWindow(words)
  }

  return {
    report(words, fields) {
      const count = counts.get(words)
      if (count !== undefined) {
        counts.set(words, count + 1)
        return
      }
      log.error(fields, words)
      beginWindow(words)
    },
  }
}
