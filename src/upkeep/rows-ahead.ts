// Finds work that is due further ahead than any code puts it. A wrong clock caused that: a host's
// clock in an older version that used it, or the clock of a previous database. Such work would wait
// until then, so it is made due now. Only due times are moved, never business dates.
//
// Each kind is read through an index from its far end, so the cost depends on the number of such
// rows. Their order makes PostgreSQL do that even while it has no statistics of the table, as after
// a restored dump.

import { withJitter } from '../core/backoff.ts'
import type { DeliveryChannel } from '../core/delivery.ts'
import { after, HOUR, MINUTE } from '../core/time-units.ts'
import { FEED_EVERY_MS } from '../settlement/read-feeds.ts'
import type { World } from '../world.ts'

/** The limit for each kind; the next sweep finds the rest. */
const MOST_ROWS = 500

/** The clocks of healthy processes agree within seconds. */
const MARGIN_MS = MINUTE

export interface RowsAhead {
  readonly kind: string
  readonly count: number
}

interface DueColumn {
  readonly kind: string
  readonly table: string
  /** The column with the due time. */
  readonly due: string
  /** The column of the index, if that is another one. */
  readonly indexed?: string
  /** `$1` is the latest instant that correct code can set. */
  readonly isAhead: string
  readonly beyond: (world: World) => Date
}

const DUE_COLUMNS: readonly DueColumn[] = [
  {
    kind: 'payment',
    table: 'transaction',
    due: 'due_at',
    // A bank debit, which has days until its deadline, is asked about each hour.
    isAhead: `due_at > $1
      AND (gateway_name = 'sandbox' OR deadline_at < created_at + interval '1 day')`,
    beyond: longestWait,
  },
  {
    kind: 'batch to close',
    table: 'batch',
    due: 'due_at',
    isAhead: "(status = 'closing' OR events_written < count) AND due_at > $1",
    beyond: longestWait,
  },
  {
    kind: 'sandbox clock',
    table: 'account',
    due: 'clock_due_at',
    isAhead: 'clock_due_at > $1',
    beyond: longestWait,
  },
  {
    kind: 'news of a gateway',
    table: 'gateway_feed',
    due: 'due_at',
    isAhead: 'due_at > $1',
    beyond: ({ clock }) => after(clock.now(), FEED_EVERY_MS + MARGIN_MS),
  },
  { kind: 'replay', table: 'webhook', due: 'due_at', isAhead: 'due_at > $1', beyond: longestWait },
  {
    // A failed delivery may wait for days. So the check is whether it was written later than now.
    kind: 'delivery',
    table: 'delivery',
    due: 'due_at',
    indexed: 'updated_at',
    isAhead: 'due_at IS NOT NULL AND updated_at > $1',
    beyond: ({ clock }) => after(clock.now(), MARGIN_MS),
  },
]

/** Returns the rows that it found and made due. */
export async function pullBack(world: World): Promise<readonly RowsAhead[]> {
  const found: RowsAhead[] = []
  const now = world.clock.now()
  for (const { kind, table, due, indexed = due, isAhead, beyond } of DUE_COLUMNS) {
    // Rows that are due already are left out.
    const sql = `
      UPDATE ${table} SET ${due} = $2 WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE ${isAhead} AND ${due} > $2
        ORDER BY ${indexed} DESC LIMIT ${MOST_ROWS}
        FOR UPDATE SKIP LOCKED
      )) RETURNING 1`
    found.push({ kind, count: (await world.db.query(sql, [beyond(world), now])).length })
  }
  for (const { channel, ms } of PACES) {
    const rows = await world.db.query(PULL_BACK_PACE, [channel, now.getTime(), ms + MARGIN_MS])
    found.push({ kind: `pace of ${channel}`, count: rows.length })
  }
  const ahead = found.filter(({ count }) => count > 0)
  for (const { kind, count } of ahead) {
    world.log.warn({ kind, count }, 'a wrong clock had put work far ahead: it is due now')
  }
  return ahead
}

/** No lease and no wait between two questions to a gateway is longer. */
function longestWait({ clock, timings }: World): Date {
  const { leaseMs, nudgeGraceMs, askAgain } = timings
  const longestMs = Math.max(leaseMs, nudgeGraceMs, withJitter(askAgain.mostMs, 1))
  return after(clock.now(), longestMs + MARGIN_MS)
}

/** How long a channel's provider may pause. The text-message provider may ask for an hour. */
const PACES: readonly { readonly channel: DeliveryChannel; readonly ms: number }[] = [
  { channel: 'email', ms: MINUTE },
  { channel: 'sms', ms: HOUR },
]

/** Send slots are handed out for the next moment, and slightly later. */
const PULL_BACK_PACE = `
  UPDATE provider_pace SET next_ms = least(next_ms, $2::float8),
    resting_until_ms = least(resting_until_ms, $2::float8)
  WHERE channel = $1::delivery_channel
    AND (next_ms > $2::float8 + ${MARGIN_MS} OR resting_until_ms > $2::float8 + $3::float8)
  RETURNING 1`
