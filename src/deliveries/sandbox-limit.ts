// Limits how many messages a sandbox account sends within a day. They reach people and cost money,
// although nobody pays in the sandbox; and a clock that passes ten days in a minute runs a schedule
// of every 15 minutes a thousand times.

import type { SendAnswer } from '../core/delivery.ts'
import { after, DAY } from '../core/time-units.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { World } from '../world.ts'
import type { ClaimedDelivery } from './claim-due.ts'

/**
 * A count goes on until its day ends. A day that ends more than an hour after one that begins now
 * was begun by a clock that has been set back since; attempts may come in another order than their
 * instants.
 */
const GOES_ON = `m.ends_at > a.now AND m.ends_at <= a.ends_at + interval '1 hour'`

/**
 * Attempts of one moment are added up, and then each gets its own number. Rows are locked in one
 * order, so that two rounds never deadlock.
 */
const countAttempts = gatheredStatement({
  name: 'count-sandbox-messages',
  columns: {
    accountId: 'uuid',
    channel: 'delivery_channel',
    now: 'timestamptz',
    /** The end of a day that would begin with this attempt. */
    endsAt: 'timestamptz',
  },
  text: (input) => `
    WITH ${input},
    attempts AS (
      SELECT account_id, channel, count(*)::integer AS more, min(now) AS now,
        min(ends_at) AS ends_at
      FROM input GROUP BY account_id, channel
    ),
    counted AS (
      INSERT INTO sandbox_message_count AS m (account_id, channel, count, ends_at)
      SELECT account_id, channel, more, ends_at FROM attempts ORDER BY account_id, channel
      ON CONFLICT (account_id, channel) DO UPDATE SET (count, ends_at) = (
        SELECT CASE WHEN ${GOES_ON} THEN m.count + a.more ELSE a.more END,
          CASE WHEN ${GOES_ON} THEN m.ends_at ELSE a.ends_at END
        FROM attempts a WHERE a.account_id = m.account_id AND a.channel = m.channel
      )
      RETURNING account_id, channel, count
    )
    SELECT i.ord, c.count + 1 - row_number() OVER (
      PARTITION BY i.account_id, i.channel ORDER BY i.ord DESC) AS used
    FROM input i JOIN counted c USING (account_id, channel)`,
  read: (row) => Number(row.used),
})

/**
 * The answer to a message of a sandbox account that has sent enough within a day. Undefined if it
 * may be sent; then this attempt is counted, so a retry counts too.
 */
export async function refusalOfSandbox(
  { clock, config, db }: World,
  { accountId, channel }: ClaimedDelivery,
): Promise<SendAnswer | undefined> {
  const most = config.sandboxMessagesPerDay
  const now = clock.now()
  const used = await db.ask(countAttempts, { accountId, channel, now, endsAt: after(now, DAY) })
  if (used === undefined) throw new Error('a message was not counted')
  if (used <= most) return undefined
  const what = channel === 'sms' ? 'text messages' : 'e-mails'
  return {
    kind: 'refused',
    reason: 'sandbox_limit',
    detail: `a sandbox account sends at most ${most.toLocaleString('en-US')} ${what} within a day`,
  }
}
