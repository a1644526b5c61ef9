// When something of an account's batches falls due next, in the account's own time.

import type { Query } from '../db/database.ts'

const NEXT = `
  SELECT least(
    (SELECT min(cutoff_at) FROM batch WHERE account_id = $1 AND status <> 'closed'),
    (SELECT min(CASE WHEN events_written < count THEN cutoff_at ELSE deposit_at END)
      FROM batch WHERE account_id = $1 AND deposited_at IS NULL)
  ) AS next`

/** The past, where it is overdue. */
export async function nextSettlement(query: Query, accountId: string): Promise<Date | undefined> {
  const [row] = await query(NEXT, [accountId])
  return row?.next ?? undefined
}
