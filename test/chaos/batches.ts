// Lets the days of batches end early, and moves closed batches two days back soon after: business
// days pass in seconds. The workers do the closing itself and the deposits.

import type pg from 'pg'
import { LONG_AGO_MS } from '../support/batch.ts'
import { type NowAndThen, nowAndThen } from './now-and-then.ts'

/** Rare enough for voids to come first as often. */
const EVERY_MS = 1_500

export function startBatches(databaseUrl: string): NowAndThen {
  return nowAndThen(databaseUrl, EVERY_MS, async (client) => {
    await leaveLongAgo(client)
    await endDays(client)
  })
}

/**
 * The triggers are off for changes that only time makes otherwise. In a deadlock the service's
 * process is never the victim: we give up long before it.
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

/** Its events are written, and its deposit is not sent yet. */
const AGE = `
    UPDATE batch b SET closed_at = $1, cutoff_at = least(cutoff_at, $1), deposit_at = $2,
      due_at = $2
    FROM (
      SELECT account_id, id FROM batch
      WHERE status = 'closed' AND events_written = count
        AND deposited_at IS NULL
        AND closed_at > $1 AND due_at IS NOT NULL
      ORDER BY account_id, id
      FOR UPDATE
    ) closed
    WHERE b.account_id = closed.account_id AND b.id = closed.id`

/** Days pass for closed batches: their transactions can be refunded, and their deposits arrive. */
export async function leaveLongAgo(client: pg.Client): Promise<void> {
  await client.query(AS_TIME)
  const now = new Date()
  await client.query(AGE, [new Date(now.getTime() - LONG_AGO_MS), now])
}
