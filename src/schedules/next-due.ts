// When an account's schedules, and the payments of their invoices that are tried again, fall due
// next.

import type { Query } from '../db/database.ts'

/** Of a team that is not in good standing nothing is run: it waits, and follows `missed_runs`. */
const NEXT = `
  SELECT least(
    (SELECT min(next_run_at) FROM schedule WHERE account_id = $1 AND next_run_at IS NOT NULL),
    (SELECT min(retry_at) FROM invoice WHERE account_id = $1 AND retry_at IS NOT NULL)
  ) AS next
  FROM account a JOIN team t ON t.id = a.team_id
  WHERE a.id = $1 AND t.status = 'active' AND t.enabled`

/** It may be past, of what had to wait. */
export async function nextScheduled(query: Query, accountId: string): Promise<Date | undefined> {
  const [found] = await query(NEXT, [accountId])
  return found?.next ?? undefined
}
