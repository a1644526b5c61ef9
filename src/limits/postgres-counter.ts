// Counts in the database, where there is no Redis: all requests of the moment in one statement.
//
// The table is not logged: after a crash of the database every window begins anew, and nothing was
// waited for.

import { after } from '../core/time-units.ts'
import type { Database } from '../db/database.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { Clock } from '../outside/clock.ts'
import { type RequestCounter, WINDOW_MS } from './counter.ts'

/** Windows removed by one statement, and statements of one pass, at most. */
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
      // By another process's clock a window may last for some seconds more.
      const before = after(clock.now(), -WINDOW_MS)
      for (let rounds = 0; rounds < MOST_ROUNDS; rounds += 1) {
        const forgotten = await db.query(FORGET, [before, ROUND])
        if (forgotten.length < ROUND) return
      }
    },
    close: async () => {},
  }
}

interface Request {
  readonly subject: string
  /** Of a window that would begin with this request. */
  readonly endsAt: Date
}

const WINDOW = `interval '${WINDOW_MS} milliseconds'`

/**
 * It has not ended, and was not begun by a clock that has been set back since: that one would last
 * too long.
 */
const IS_LIVE = `w.ends_at > EXCLUDED.ends_at - ${WINDOW}
          AND w.ends_at < EXCLUDED.ends_at + ${WINDOW}`

/**
 * Requests of one subject are added together, and then told one number each. Subjects are locked in
 * one order, so that two rounds cannot wait for each other.
 */
export const countRequests = gatheredStatement<
  Request,
  { readonly used: number; readonly endsAt: Date }
>({
  name: 'count-requests',
  columns: { subject: 'text', endsAt: 'timestamptz' },
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
  read: (row) => ({ used: Number(row.used), endsAt: row.ends_at }),
})

/** A window that has ended since has nothing to give back. */
const GIVE_BACK = `
  UPDATE request_window SET count = count - 1 WHERE subject = $1 AND count > 0 AND ends_at > $2`

/** What somebody is counting at this moment is left for the next time, so that nobody waits. */
const FORGET = `
  DELETE FROM request_window WHERE subject IN (
    SELECT subject FROM request_window WHERE ends_at <= $1
    ORDER BY ends_at LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
  RETURNING subject`
