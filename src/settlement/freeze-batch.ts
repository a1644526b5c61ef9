// Freezes a batch whose cutoff has passed: from then on nothing joins it. A worker that records a
// success holds its batch until its commit, by a lock that excludes FOR UPDATE: so the batch is
// frozen only when all that joined it is there, and later successes find it closing. Waiting for
// the lock would keep other accounts' batches waiting too, behind one commit that hangs.

import { after } from '../core/time-units.ts'
import type { World } from '../world.ts'
import { type Closing, HELD_MS } from './closing.ts'

const FREEZE = `
  UPDATE batch b SET status = 'closing', closed_at = $3, due_at = $4
  FROM (
    SELECT account_id, id FROM batch
    WHERE account_id = $1 AND id = $2 AND status = 'open' AND cutoff_at <= $3
    FOR UPDATE SKIP LOCKED
  ) held
  WHERE b.account_id = held.account_id AND b.id = held.id
  RETURNING b.id`

/** Answers when to come again, where another holds it, or has just frozen it. */
export async function freezeBatch(
  world: World,
  { batch, account }: Closing,
): Promise<Date | undefined> {
  const now = world.clock.now()
  const leasedUntil = after(now, world.timings.leaseMs)
  const values = [batch.accountId, batch.id, world.accountNow(account), leasedUntil]
  const frozen = await world.db.query(FREEZE, values)
  return frozen.length === 0 ? after(now, HELD_MS) : undefined
}
