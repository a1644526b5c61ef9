// Freezes a batch whose cutoff has passed: from then on nothing joins it. Whoever records a success
// holds its batch until his commit, by a lock that gives way to no FOR UPDATE: so all who have
// joined are waited for, and who comes later finds it closing.

import { after } from '../core/time-units.ts'
import type { World } from '../world.ts'
import type { Closing } from './closing.ts'

const FREEZE = `
  UPDATE batch b SET status = 'closing', closed_at = $3, due_at = $4
  FROM (
    SELECT account_id, id FROM batch
    WHERE account_id = $1 AND id = $2 AND status = 'open' AND cutoff_at <= $3
    FOR UPDATE
  ) held
  WHERE b.account_id = held.account_id AND b.id = held.id`

/** Does nothing where somebody else was first. */
export async function freezeBatch(world: World, { batch, account }: Closing): Promise<void> {
  const leasedUntil = after(world.clock.now(), world.timings.leaseMs)
  await world.db.query(FREEZE, [batch.accountId, batch.id, world.accountNow(account), leasedUntil])
}
