// The work of one process in each minute and each hour, until a heartbeat has written it.

import { DAY, HOUR, MINUTE } from '../core/time-units.ts'
import type { Query } from '../db/database.ts'
import { isNothing, type Work, workSince } from './measured-work.ts'

/**
 * The work of a process is written for each minute and for each hour. The console shows the last
 * hour and the last day, and reads few rows for either.
 */
export const SPANS = [
  { span: 'minute', ms: MINUTE, keptMs: 2 * HOUR },
  { span: 'hour', ms: HOUR, keptMs: DAY + HOUR },
] as const

export type WorkSpan = (typeof SPANS)[number]['span']

/**
 * A heartbeat writes the whole minute again, and minutes before that were not written: one left out
 * loses nothing.
 */
const WRITE_WORK = `
  INSERT INTO process_work
    (process_id, process, span, at, requests, approved, declined, durations, queues)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (process_id, span, at) DO UPDATE
  SET requests = excluded.requests, approved = excluded.approved, declined = excluded.declined,
    durations = excluded.durations, queues = excluded.queues`

interface SpanWork {
  readonly at: Date
  /** All work of the process before this minute or hour. Undefined if it started in it. */
  readonly before: Work | undefined
}

export class UnwrittenWork {
  readonly #process: readonly [id: string, name: string]
  readonly #current = new Map<WorkSpan, SpanWork>()
  /** The values of the rows, by span and instant. */
  readonly #rows = new Map<string, readonly unknown[]>()
  #latest: Work | undefined

  constructor(...process: readonly [id: string, name: string]) {
    this.#process = process
  }

  /** `work` is all work of the process so far. */
  add(now: Date, work: Work): void {
    const isMore = !isNothing(workSince(work, this.#latest))
    for (const { span, ms } of SPANS) {
      const { at, before } = this.#spanAt(span, Math.floor(now.getTime() / ms) * ms)
      if (!isMore) continue
      const { requests, approved, declined, durations, queues } = workSince(work, before)
      const counts = [requests, approved, declined, durations, JSON.stringify(queues)]
      this.#rows.set(`${span} ${at.getTime()}`, [...this.#process, span, at, ...counts])
    }
    this.#latest = work
  }

  async write(query: Query): Promise<void> {
    for (const [key, values] of this.#rows) {
      await query(WRITE_WORK, values)
      this.#rows.delete(key)
    }
  }

  #spanAt(span: WorkSpan, atMs: number): SpanWork {
    const current = this.#current.get(span)
    if (current?.at.getTime() === atMs) return current
    const begun = { at: new Date(atMs), before: this.#latest }
    this.#current.set(span, begun)
    return begun
  }
}
