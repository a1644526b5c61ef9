// Finds batches that are overdue, because their cutoff has passed, the worker that closed them
// died, or their deposit must be announced. One round nudges all of them.

import { BEFORE_ALL_IDS } from '../core/id.ts'
import { after } from '../core/time-units.ts'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'

/** Batches in one statement. More would make the statement slow. */
const ROUND = 500

const DUE = `
  SELECT due_at, account_id, id FROM batch
  WHERE due_at <= $1 AND (due_at, account_id, id) > ($2, $3, $4)
  ORDER BY due_at, account_id, id
  LIMIT $5`

/** Returns how many it found. */
export async function nudgeDueBatches(world: World): Promise<number> {
  const now = world.clock.now()
  const requestId = world.newId()
  let last: readonly unknown[] = [new Date(0), BEFORE_ALL_IDS, BEFORE_ALL_IDS]
  for (let found = 0; ; ) {
    const rows = await world.db.query(DUE, [now, ...last, ROUND])
    await world.queues.nudgeOverdue(
      'settlement',
      rows.map((row) => ({
        accountId: row.account_id,
        id: row.id,
        requestId,
        dueAt: row.due_at,
      })),
    )
    found += rows.length
    const end = rows.at(-1)
    if (end === undefined || rows.length < ROUND) return found
    last = [end.due_at, end.account_id, end.id]
  }
}

const NEXT = `
  SELECT least(
    (SELECT min(cutoff_at) FROM batch WHERE account_id = $1 AND status <> 'closed'),
    (SELECT min(CASE WHEN events_written < count THEN cutoff_at ELSE deposit_at END)
      FROM batch WHERE account_id = $1 AND deposited_at IS NULL)
  ) AS next`

/**
 * The next instant at which work of an account's batches falls due, in the account's own time. It
 * is past if work is overdue.
 */
export async function nextSettlement(query: Query, accountId: string): Promise<Date | undefined> {
  const [row] = await query(NEXT, [accountId])
  return row?.next ?? undefined
}

/**
 * How late the service is with its batches: the most overdue one that is not closed, of accounts
 * without a clock of their own.
 *
 * A worker that closes a batch holds it for a lease, so an unclosed batch is due when that lease
 * ends. This condition lets the statement skip batches whose cutoff is still to come.
 */
export const OLDEST_OPEN = `
  SELECT min(b.cutoff_at) AS cutoff_at
  FROM batch b
  WHERE b.due_at <= $2 AND b.status <> 'closed' AND b.cutoff_at <= $1
    AND EXISTS (SELECT FROM account a WHERE a.id = b.account_id AND a.clock_at IS NULL)`

/** 0 if no batch is late. */
export async function openBatchLatenessMs(world: World): Promise<number> {
  const now = world.clock.now()
  const [row] = await world.db.query(OLDEST_OPEN, [now, after(now, 2 * world.timings.leaseMs)])
  return row?.cutoff_at ? now.getTime() - row.cutoff_at.getTime() : 0
}
