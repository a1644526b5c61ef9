// Counts in the database when there is no Redis: one statement for all requests of the same moment.
//
// The table is unlogged, so counting waits for no disk, and after a crash of the database all
// windows begin again.

import { after } from '../core/time-units.ts'
import type { Database } from '../db/database.ts'
import { windowCount } from '../db/window-count.ts'
import type { Clock } from '../outside/clock.ts'
import { type RequestCounter, WINDOW_MS } from './counter.ts'

/** The most windows that one statement deletes, and the most statements of one pass. */
const ROUND = 5_000
const MOST_ROUNDS = 20

export function postgresCounter(db: Database, clock: Clock): RequestCounter {
  return {
    async count(subject) {
      const now = clock.now()
      const counted = await db.ask(countRequests, { subject, endsAt: after(now, WINDOW_MS) })
      if (counted === undefined) throw new Error('a request was not counted')
      return { used: counted.used, resetMs: counted.endsAt.getTime() - now.getTime() }
    },
    async giveBack(subject) {
      await db.query(GIVE_BACK, [subject, clock.now()])
    },
    async forgetEnded() {
      // Another process's clock may let a window last some seconds longer.
      const before = after(clock.now(), -WINDOW_MS)
      for (let rounds = 0; rounds < MOST_ROUNDS; rounds += 1) {
        const forgotten = await db.query(FORGET, [before, ROUND])
        if (forgotten.length < ROUND) return
      }
    },
    close: async () => {},
  }
}

export const countRequests = windowCount({
  name: 'count-requests',
  table: 'request_window',
  key: { subject: 'text' },
  windowMs: WINDOW_MS,
  toleranceMs: WINDOW_MS,
})

/** A window that has ended since has nothing to give back. */
const GIVE_BACK = `
  UPDATE request_window SET count = count - 1 WHERE subject = $1 AND count > 0 AND ends_at > $2`

/** Windows that are being counted now are left for the next time, so that no request waits. */
const FORGET = `
  DELETE FROM request_window WHERE subject IN (
    SELECT subject FROM request_window WHERE ends_at <= $1
    ORDER BY ends_at LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
  RETURNING subject`
