// Has the days of batches end early, and those that are closed lie two days back soon after: days of
// business pass in seconds. The closing itself is the workers', and so are the deposits.

import type pg from 'pg'
import { LONG_AGO_MS } from '../support/batch.ts'
import { type NowAndThen, nowAndThen } from './now-and-then.ts'

/** Seldom enough for voids to come first as often. */
const EVERY_MS = 1_500

export function startBatches(databaseUrl: string): NowAndThen {
  return nowAndThen(databaseUrl, EVERY_MS, async (client) => {
    await leaveLongAgo(client)
    await endDays(client)
  })
}

/**
 * No trigger stands in the way of what only time does otherwise. Who is waited for in a circle is
 * never a process of the service: we give up long before it does.
 */
const AS_TIME = `
  SET session_replication_role = replica;
  SET deadlock_timeout = '20ms'`

const END = `
  UPDATE batch SET cutoff_at = $1, due_at = $1
  WHERE status = 'open' AND cutoff_at > $1 AND due_at IS NOT NULL`

/** Ends the day of every open batch at this instant. */
export async function endDays(client: pg.Client): Promise<void> {
  await client.query(AS_TIME)
  await client.query(END, [new Date()])
}

/** Its gateway knows of it, its events are written, and its deposit is not sent yet. */
const AGE = `
    UPDATE batch b SET closed_at = $1, cutoff_at = least(cutoff_at, $1), deposit_at = $2,
      due_at = $2
    FROM (
      SELECT account_id, id FROM batch
      WHERE status = 'closed' AND told_at IS NOT NULL AND events_written = count
        AND deposited_at IS NULL
        AND closed_at > $1 AND due_at IS NOT NULL
      ORDER BY account_id, id
      FOR UPDATE
    ) closed
    WHERE b.account_id = closed.account_id AND b.id = closed.id`

/** Days pass for what is closed: what it took can be refunded, and the money is there. */
export async function leaveLongAgo(client: pg.Client): Promise<void> {
  await client.query(AS_TIME)
  const now = new Date()
  await client.query(AGE, [new Date(now.getTime() - LONG_AGO_MS), now])
}
