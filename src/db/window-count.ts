// Counts what one subject does within a window of time, such as the requests of a key within a
// minute. A window begins with the first and lasts for its time; what follows begins another one.

import { snakeCase } from '../core/snake-case.ts'
import { SECOND } from '../core/time-units.ts'
import { gatheredStatement } from './gathered.ts'

type Key = Readonly<Record<string, 'uuid' | 'text' | 'delivery_channel'>>

interface WindowCount<K extends Key> {
  readonly name: string
  /** It has the columns of the key, `count` and `ends_at`. */
  readonly table: string
  /** The table's primary key: the subject. */
  readonly key: K
  readonly windowMs: number
  /**
   * Calls may come in another order than their instants, so a window may end a little later than
   * one that would begin now. One that ends later than by this was begun by a clock that has been
   * set back since; it would last too long, and is begun again.
   */
  readonly toleranceMs: number
}

interface CountedInWindow {
  /** How many there are in the window, with this one. No two get the same number. */
  readonly used: number
  readonly endsAt: Date
}

/**
 * Calls of one subject at the same moment are added up, and then each gets its own number. Subjects
 * are locked in one order, so that two rounds never deadlock.
 */
export function windowCount<const K extends Key>(definition: WindowCount<K>) {
  const { name, table, key, windowMs, toleranceMs } = definition
  const names = Object.keys(key).map(snakeCase)
  const subject = names.join(', ')
  const goesOn = `w.ends_at > EXCLUDED.ends_at - interval '${windowMs / SECOND} seconds'
          AND w.ends_at <= EXCLUDED.ends_at + interval '${toleranceMs / SECOND} seconds'`
  return gatheredStatement({
    name,
    /** `endsAt` is the end of a window that would begin with this call. */
    columns: { ...key, endsAt: 'timestamptz' as const },
    text: (input) => `
    WITH ${input},
    calls AS (
      SELECT ${subject}, count(*)::integer AS more, min(ends_at) AS ends_at
      FROM input GROUP BY ${subject}
    ),
    counted AS (
      INSERT INTO ${table} AS w (${subject}, count, ends_at)
      SELECT ${subject}, more, ends_at FROM calls ORDER BY ${subject}
      ON CONFLICT (${subject}) DO UPDATE SET
        count = EXCLUDED.count + CASE WHEN ${goesOn} THEN w.count ELSE 0 END,
        ends_at = CASE WHEN ${goesOn} THEN w.ends_at ELSE EXCLUDED.ends_at END
      RETURNING ${subject}, count, ends_at
    )
    SELECT i.ord, c.ends_at, c.count + 1 - row_number() OVER (
      PARTITION BY ${subject} ORDER BY i.ord DESC) AS used
    FROM input i JOIN counted c USING (${subject})`,
    read: (row): CountedInWindow => ({ used: Number(row.used), endsAt: row.ends_at }),
  })
}
