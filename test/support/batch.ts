// Stamps transactions as a batch does when it takes them.

import type { TestHouse } from './house.ts'

/** Long enough ago that the midnight after it has passed. */
export const LONG_AGO_MS = 48 * 60 * 60_000

/** Of ids, with the batch's id and its instant. What a batch may not take, it leaves. */
export const TAKE_INTO_BATCH = `
  UPDATE transaction SET batch_id = $2, batched_at = $3
  WHERE id = ANY($1::uuid[]) AND status = 'SUCCESS' AND NOT is_manual AND batched_at IS NULL
    AND void_id IS NULL AND type IN ('charge', 'capture', 'refund')`

/** Answers the batch's id. */
export async function takeIntoBatch(
  house: TestHouse,
  ids: readonly string[],
  at: Date = new Date(Date.now() - LONG_AGO_MS),
): Promise<string> {
  const batchId = house.world.newId()
  await house.world.db.query(TAKE_INTO_BATCH, [ids, batchId, at])
  return batchId
}
