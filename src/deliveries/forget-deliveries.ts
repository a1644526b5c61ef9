// Deletes deliveries that were finished or parked long ago, and old messages of the outbox. A due
// delivery is never deleted. Each statement is a commit of its own.

import { forgetByAccount, ROWS_PER_COMMIT } from '../db/forget-by-account.ts'
import type { World } from '../world.ts'

/** Skips rows that another round, or a person who retries one, has locked. */
const FORGET_DELIVERIES = `
  WITH old AS MATERIALIZED (
    SELECT ctid FROM delivery
    WHERE due_at IS NULL AND updated_at < $1
    ORDER BY updated_at
    LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
  DELETE FROM delivery WHERE ctid = ANY(ARRAY(SELECT ctid FROM old)) RETURNING 1`

/** Deletes at most `most`; returns how many. */
export async function forgetDeliveries(world: World, before: Date, most: number): Promise<number> {
  let gone = 0
  while (gone < most) {
    const take = Math.min(ROWS_PER_COMMIT, most - gone)
    const rows = await world.db.query(FORGET_DELIVERIES, [before, take])
    gone += rows.length
    if (rows.length < take) break
  }
  return gone
}

export function forgetOutbox(world: World, madeBefore: Date, most: number): Promise<number> {
  return forgetByAccount(world.db, { table: 'outbox_message', madeBefore, most })
}
