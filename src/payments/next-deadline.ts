// By when the next payment of an account must be decided, in the account's own time.

import type { Query } from '../db/database.ts'

/** Of those that wait for the gateway; what is parked waits for a person, and for no instant. */
const NEXT = `
  SELECT min(deadline_at) AS deadline_at FROM transaction
  WHERE account_id = $1 AND (due_at IS NULL AND parked_at IS NULL) IS FALSE
    AND parked_at IS NULL`

/** Undefined where no payment is under way. */
export async function nextDeadline(query: Query, accountId: string): Promise<Date | undefined> {
  const [row] = await query(NEXT, [accountId])
  return row?.deadline_at ?? undefined
}
