// When something of an account's batches falls due next, in the account's own time.

import type { World } from '../world.ts'

const NEXT = `
  SELECT least(
    (SELECT min(cutoff_at) FROM batch WHERE account_id = $1 AND status <> 'closed'),
    (SELECT min(deposit_at) FROM batch WHERE account_id = $1 AND deposited_at IS NULL)
  ) AS next`

/** The past, where it is overdue. */
export async function nextSettlement(world: World, accountId: string): Promise<Date | undefined> {
  const [row] = await world.db.query(NEXT, [accountId])
  return row?.next ?? undefined
}
