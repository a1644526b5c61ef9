// Counts in the database when there is no Redis: one statement for all requests of the same moment.
//
// The table is unlogged, so counting waits for no disk, and after a crash of the database all
// windows begin again.

import { after } from '../core/time-units.ts'
import type { Database } from '../db/database.ts'
import { gatheredStatement } from '../db/gathered.ts'
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

const WINDOW = `interval '${WINDOW_MS} milliseconds'`

/**
 * The window has not ended. A window that begins in the future comes from a clock that has been set
 * back since, and would last too long.
 */
const IS_LIVE = `w.ends_at > EXCLUDED.ends_at - ${WINDOW}
          AND w.ends_at < EXCLUDED.ends_at + ${WINDOW}`

/**
 * Requests of one subject are added up together, and then each gets its own number. Subjects are
 * locked in one order, so that two rounds never deadlock.
 */
export const countRequests = gatheredStatement({
  name: 'count-requests',
  columns: {
    subject: 'text',
    /** The end of a window that would begin with this request. */
    endsAt: 'timestamptz',
  },
  text: (input) => `
    WITH ${input},
    asked AS (
      SELECT subject, count(*)::integer AS more, min(ends_at) AS ends_at
      FROM input GROUP BY subject
    ),
    counted AS (
      INSERT INTO request_window AS w (subject, count, ends_at)
      SELECT subject, more, ends_at FROM asked ORDER BY subject
      ON CONFLICT (subject) DO UPDATE SET
        count = EXCLUDED.count + CASE WHEN ${IS_LIVE} THEN w.count ELSE 0 END,
        ends_at = CASE WHEN ${IS_LIVE} THEN w.ends_at ELSE EXCLUDED.ends_at END
      RETURNING subject, count, ends_at
    )
    SELECT i.ord, c.ends_at, c.count + 1
      - row_number() OVER (PARTITION BY i.subject ORDER BY i.ord DESC) AS used
    FROM input i JOIN counted c ON c.subject = i.subject`,
  read: (row): { readonly used: number; readonly endsAt: Date } => ({
    used: Number(row.used),
    endsAt: row.ends_at,
  }),
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
