// How late the service is with its batches: the most overdue one that is not closed, of accounts
// without a clock of their own.

import { after } from '../core/time-units.ts'
import type { World } from '../world.ts'

/**
 * Whoever closes a batch holds it for a lease: so what is not closed is due by the end of one. That
 * keeps the question off batches whose cutoff is to come.
 */
export const OLDEST_OPEN = `
  SELECT min(b.cutoff_at) AS cutoff_at
  FROM batch b
  WHERE b.due_at <= $2 AND b.status <> 'closed' AND b.cutoff_at <= $1
    AND EXISTS (SELECT FROM account a WHERE a.id = b.account_id AND a.clock_at IS NULL)`

/** 0 where none is late. */
export async function openBatchLatenessMs(world: World): Promise<number> {
  const now = world.clock.now()
  const [row] = await world.db.query(OLDEST_OPEN, [now, after(now, 2 * world.timings.leaseMs)])
  return row?.cutoff_at ? now.getTime() - row.cutoff_at.getTime() : 0
}
