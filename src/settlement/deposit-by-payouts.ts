// The instant at which the money of a batch arrives, by the payouts of its gateway.

import type { Query } from '../db/database.ts'

export interface BatchName {
  readonly accountId: string
  readonly id: string
}

const HOLD = 'SELECT FROM batch WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE'

/**
 * Locks the batch until the commit. The closing of a batch and each payout's part of it exclude
 * each other.
 */
export async function holdBatch(query: Query, { accountId, id }: BatchName): Promise<void> {
  await query(HOLD, [accountId, id])
}

const ARRIVES_AT = `
  SELECT CASE WHEN sum(p.count) >= $3 THEN max(p.arrives_at) END AS arrives_at
  FROM batch_payout p
  WHERE p.account_id = $1 AND p.batch_id = $2 AND p.status = 'paid'`

/**
 * When the money of all `count` transactions of a batch arrives. Null until that is known. The
 * batch is held until the commit.
 */
export async function depositByPayouts(
  query: Query,
  { accountId, id, count }: BatchName & { readonly count: number },
): Promise<Date | null> {
  await holdBatch(query, { accountId, id })
  const [row] = await query(ARRIVES_AT, [accountId, id, count])
  return row?.arrives_at ?? null
}
