// A payment that is parked waits for a person, and the gateway may still decide it: a refund that
// waits for the balance, say. Its events tell us so, but nothing may depend on them. So the gateway
// is asked once a day, and what it still does not know is parked again.
//
// On its first day a payment is asked about more often: it may be parked only because the gateway
// was away for hours, and as long as the gateway keeps its key, the order can be given up for good.
// Afterwards only a person can decide that it was never made.

import { firstIdAt } from '../../core/id.ts'
import { after, DAY, HOUR } from '../../core/time-units.ts'
import type { World } from '../../world.ts'

const ASK_NEW_AFTER_MS = 2 * HOUR

/** Rows in one commit, so that no other writer waits for long. The next sweep finds the rest. */
const MOST = 500

/** A sandbox may have a clock of its own, by which it parks, and knows no more a day later. */
const MAKE_DUE = `
  UPDATE transaction t SET parked_at = NULL, due_at = $1
  FROM (
    SELECT account_id, id FROM transaction
    WHERE parked_at <= $2 AND (parked_at <= $3 OR id >= $4)
      AND status = 'PENDING' AND gateway_name <> 'sandbox'
    ORDER BY parked_at LIMIT ${MOST}
    FOR NO KEY UPDATE SKIP LOCKED
  ) parked
  WHERE t.account_id = parked.account_id AND t.id = parked.id`

/** They are due now, and the sweep nudges them with all that is. */
export async function askParkedAgain({ clock, db }: World): Promise<void> {
  const now = clock.now()
  const dayAgo = after(now, -DAY)
  await db.query(MAKE_DUE, [now, after(now, -ASK_NEW_AFTER_MS), dayAgo, firstIdAt(dayAgo)])
}
